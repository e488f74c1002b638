package org.mongolocks.contract.broken;

import static org.mongolocks.contract.broken.Mistake.acquiring;
import static org.mongolocks.contract.broken.Mistake.configuring;
import static org.mongolocks.contract.broken.Mistake.locks;
import static org.mongolocks.contract.broken.Mistake.releasing;
import static org.mongolocks.contract.broken.Mistake.renewing;
import static org.mongolocks.contract.broken.Mistake.strategy;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.Owner;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.broken.Mistake.Row;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.protocol.ForwardingStrategy;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Step;

/** Mistakes of a client: of one lock, its faults and its deadline, and of reentrancy. */
final class ClientMistakes {
    static final List<Row> TABLE = List.of(
            Row.of(
                    "tries once",
                    acquiring((locks, request) -> locks.tryAcquire(
                            LockRequest.of(request.name(), request.ttl()).fixedLease())),
                    "aWaiterGetsAReleasedLock"),
            Row.of(
                    "reports an interrupt as contention",
                    acquiring((locks, request) -> {
                        try {
                            return locks.tryAcquire(request);
                        } catch (InterruptedException e) {
                            return Optional.empty();
                        }
                    }),
                    "interruptedWaiterLeavesNoLease",
                    "interruptedThreadSendsNoCommand",
                    "interruptDuringACommandLeavesNoLease"),
            Row.of(
                    "reports a fault as contention",
                    acquiring((locks, request) -> {
                        try {
                            return locks.tryAcquire(request);
                        } catch (LockException e) {
                            return Optional.empty();
                        }
                    }),
                    "aRefusalIsAnError",
                    "commandThatIsNeverSentHoldsNothing",
                    "aGrantThatStaysAmbiguousIsCompensated",
                    "unconfirmedGrantIsIndeterminate",
                    "exhaustedPoolGrantsNothing",
                    "unreachableServerGrantsNothingAndLosesNothing",
                    "abandonedCommandIsNotGrantedLater"),
            Row.of(
                    "does not retry after a fault",
                    configuring(builder -> builder.faultRetry(
                            Retry.of("once", RetryConfig.custom().maxAttempts(1).build()))),
                    "aLostQuestionIsAskedAgain",
                    "aPassingRefusalIsFollowedByTheSameQuestion",
                    "grantIsConfirmedAfterAnyFault",
                    "renewalIsConfirmedAfterAnyFault",
                    "releaseIsConfirmedAfterAnyFault"),
            Row.of(
                    "does not notice that time passes",
                    configuring(builder -> {
                        long built = ServerFinder.embedded().time().nanoTime();
                        ClientOptions.of(builder).time(() -> built);
                    }),
                    "holderDetectsTheEndOfItsLease",
                    "anEndedLeaseIsNotBroughtBack"),
            Row.of(
                    "acquires the lock again if it cannot be renewed",
                    renewing((locks, lock, listeners) -> lock.renew()
                            || locks.tryAcquire(
                                            lock.lease().name(), lock.lease().ttl())
                                    .isPresent()),
                    "anEndedLeaseIsNotBroughtBack",
                    "aReleasedLockIsNotRenewed"),
            Row.of(
                    "force-releases the lock if its release fails, even if another client holds it",
                    releasing((locks, lock, listeners) -> lock.release()
                            || locks.forceRelease(
                                    locks.inspect(lock.lease().name()).orElseThrow())),
                    "theSecondReleaseDoesNothing"),
            Row.of(
                    "reports every release as successful",
                    releasing((locks, lock, listeners) -> {
                        lock.release();
                        return true;
                    }),
                    "aLostReleaseDoesNotHideALoss"),
            Row.of(
                    "notifies of the loss in each call that detects it",
                    renewing((locks, lock, listeners) -> {
                        boolean renewed = lock.renew();
                        lock.loss().ifPresent(listeners);
                        return renewed;
                    }),
                    "lossIsReportedOnce"),
            Row.of(
                    "reports a release as a loss",
                    releasing((locks, lock, listeners) -> {
                        listeners.accept(LossReason.EXPIRED);
                        return lock.release();
                    }),
                    "aReleaseIsNoLoss"),
            Row.of(
                    "reports a missing reply as a loss",
                    renewing((locks, lock, listeners) -> {
                        try {
                            return lock.renew();
                        } catch (LockException e) {
                            listeners.accept(LossReason.RENEWAL_FAILED);
                            return false;
                        }
                    }),
                    "aRenewalWithoutAnAnswerIsNoLoss"),
            Row.of(
                    "reports an interrupted renewal as a loss",
                    renewing((locks, lock, listeners) -> {
                        try {
                            return lock.renew();
                        } catch (InterruptedException e) {
                            return false;
                        }
                    }),
                    "interruptDuringARenewalIsNoLoss"),
            Row.of(
                    "retries with another owner, so that the grant of the first command is not found",
                    strategy(strategy -> new ForwardingStrategy(strategy) {
                        @Override
                        public Step<LockOutcome> acquire(AcquireContext c) {
                            Owner another = new Owner(c.owner().instance(), UUID.randomUUID());
                            return super.acquire(AcquireContext.of(c.name(), another, c.ttl(), c.startedNanos())
                                    .previous(c.previous())
                                    .lastSeen(c.lastSeen())
                                    .holderInfo(c.holderInfo())
                                    .releasedRevision(c.releasedRevision())
                                    .waiter(c.waiter()));
                        }
                    }),
                    "grantIsConfirmedAfterAnyFault"),
            Row.of(
                    "reports \"not held\" when the outcome is indeterminate",
                    acquiring((locks, request) -> {
                        try {
                            return locks.tryAcquire(request);
                        } catch (IndeterminateOutcomeException e) {
                            throw new LockException("Nothing is held of " + request.name(), e);
                        }
                    }),
                    "unconfirmedGrantIsIndeterminate",
                    "abandonedCommandIsNotGrantedLater"),
            Row.of(
                    "sends writes without numbers, so that the server cannot refuse a late one",
                    new Mistake() {
                        @Override
                        public ProxyRoute detour(String uri, boolean retryWrites) {
                            return ProxyRoute.to(uri, false);
                        }
                    },
                    "abandonedCommandIsNotGrantedLater",
                    "exhaustedPoolGrantsNothing",
                    "unreachableServerGrantsNothingAndLosesNothing",
                    "aQuestionThatComesLateIsNoSecondGrant",
                    "contendedCommandIsNotGrantedWhenItExecutesLate"),
            Row.of(
                    "handles a fair request as any other where there are no lists of waiters",
                    new Mistake() {
                        @Override
                        public LockStrategy in(LockStrategy strategy) {
                            return new ForwardingStrategy(strategy) {
                                @Override
                                public Optional<String> waitingList() {
                                    return Optional.empty();
                                }
                            };
                        }

                        @Override
                        public BlockingLocks in(BlockingLocks locks) {
                            return waiting((sound, request) ->
                                            sound.tryAcquire(LockRequest.of(request.name(), request.ttl())
                                                    .fixedLease()
                                                    .waitAtMost(request.waitAtMost())))
                                    .in(locks);
                        }
                    },
                    "aFairRequestIsRefusedWithoutLists"),
            Row.of(
                    "returns after twice the time",
                    waiting((locks, request) -> {
                        try {
                            return locks.tryAcquire(request);
                        } catch (LockException e) {
                            return locks.tryAcquire(request);
                        }
                    }),
                    "anAnswerComesOneCommandAfterTheDeadline"),
            Row.of(
                    "sends a command for each reentrant acquisition",
                    entering((locks, owner, request) -> locks.tryAcquire(request)),
                    "theSameOwnerEntersAgainWithoutAQuestion",
                    "twoQuestionsOfOneOwnerAreOne"),
            Row.of(
                    "renews a lock that is already held, to see whether it is",
                    entering((locks, owner, request) -> {
                        Optional<BlockingLock> entered = locks.enter(owner, request);
                        if (entered.isPresent()) {
                            entered.get().renew();
                        }
                        return entered;
                    }),
                    "theSameOwnerEntersAgainWithoutAQuestion"),
            Row.of(
                    "treats every owner of the client as the same",
                    entering((locks, owner, request) -> locks.enter("anybody", request)),
                    "anotherOwnerIsContended"),
            Row.of(
                    "keeps one handle and does not count acquisitions",
                    locks(ClientMistakes::withOneHandle),
                    "anotherOwnerIsContended",
                    "lastReleaseEndsTheLease",
                    "aLossEndsAllEntries"),
            Row.of(
                    "uses a separate owner for each acquisition of one owner",
                    entering((locks, owner, request) -> locks.enter(List.of(owner, Thread.currentThread()), request)),
                    "twoQuestionsOfOneOwnerAreOne"));

    private ClientMistakes() {}

    /** Handles requests without a wait correctly. */
    private static Mistake waiting(Mistake.Acquiring wrong) {
        return acquiring((locks, request) ->
                request.waitAtMost().isZero() ? locks.tryAcquire(request) : wrong.acquire(locks, request));
    }

    private static Mistake entering(Entering wrong) {
        return locks(locks -> new ForwardingLocks(locks) {
            @Override
            public Optional<BlockingLock> enter(Object owner, LockRequest request) throws InterruptedException {
                return wrong.enter(locks, owner, request);
            }
        });
    }

    private static BlockingLocks withOneHandle(BlockingLocks locks) {
        Map<LockName, BlockingLock> known = new ConcurrentHashMap<>();
        return entering((sound, owner, request) -> {
                    if (!known.containsKey(request.name())) {
                        sound.enter(owner, request).ifPresent(lock -> known.put(request.name(), lock));
                    }
                    return Optional.ofNullable(known.get(request.name()));
                })
                .in(locks);
    }

    @FunctionalInterface
    private interface Entering {
        Optional<BlockingLock> enter(BlockingLocks locks, Object owner, LockRequest request)
                throws InterruptedException;
    }
}
