package org.mongolocks.contract.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.proxy.CommandMatcher;
import org.mongolocks.proxy.FaultRule;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.GuardedDocument;
import org.mongolocks.server.GuardedDocument.TransactionBody;

/**
 * Rules GT, guarded transactions: writes take effect if the lock was held until the commit, and otherwise none does; with
 * a fault they take effect once or not at all.
 */
public interface GuardedTransactionRules extends ContractContext {
    /** The commands that may renew a lease. */
    List<String> WRITES = List.of("update", "findAndModify");

    /** Runs work in a transaction guarded by a lock. */
    static void inTransaction(BlockingLock lock, TransactionBody body) throws Exception {
        LockName name = lock.lease().name();
        lock.inTransaction(insert -> body.run(GuardedDocument.of(name, insert)));
    }

    /** GT-1. A guarded transaction commits once while the lock is held, and renews the lease. */
    @Test
    @ContractRule("GT-1")
    default void aGuardedTransactionIsCommittedAndExtendsTheLease() throws Exception {
        LockName name = guardedName();
        BlockingLock held = acquire(newLocks(), name);
        long before = held.lease().validUntilNanos();

        inTransaction(held, data -> {
            data.write("first");
            data.write("second");
            assertThat(written(name)).isEmpty();
        });

        assertThat(written(name)).containsExactlyInAnyOrder("first", "second");
        assertThat(held.isHeld()).isTrue();
        assertThat(held.lease().validUntilNanos() - before).isPositive();
        assertThat(newLocks().tryAcquire(name, ttl())).isEmpty();
        assertThat(held.renew()).isTrue();
    }

    /**
     * GT-2. If the lock was lost unnoticed, the transaction writes nothing, and the loss is reported as by a renewal.
     */
    @Test
    @ContractRule("GT-2")
    default void transactionAfterALossWritesNothing() throws Exception {
        LockName name = guardedName();
        BlockingLock held = acquire(newLocks(), name);
        List<LossReason> reported = new CopyOnWriteArrayList<>();
        held.onLost((lease, reason) -> reported.add(reason));
        BlockingLocks operator = newLocks();
        operator.forceRelease(operator.inspect(name).orElseThrow());

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> inTransaction(held, data -> data.write("too late")));

        assertThat(written(name)).isEmpty();
        Eventually.isTrue("the loss is reported", () -> reported.equals(List.of(LossReason.FORCED)));
    }

    /** GT-3. After a takeover the transaction of the former holder writes nothing. */
    @Test
    @ContractRule("GT-3")
    default void aLateHolderWritesNothing() throws Exception {
        LockName name = guardedName();
        BlockingLock late = acquire(newPausedLocks(), name);
        BlockingLock next = takeOver(newLocks(), name);

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> inTransaction(late, data -> data.write("late")))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(LossReason.TAKEN_OVER));

        inTransaction(next, data -> data.write("next"));
        assertThat(written(name)).containsExactly("next");
    }

    /** GT-4. If the lease ends during the work, nothing is written, and the lock can be acquired by others. */
    @Test
    @ContractRule("GT-4")
    default void workThatOutlastsTheLeaseIsNotCommitted() throws Exception {
        LockName name = guardedName();
        BlockingLock held = acquire(newLocks(), name);

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> inTransaction(held, data -> {
                    data.write("slow");
                    server().elapse(ttl());
                }));

        assertThat(takeOver(newLocks(), name).isHeld()).isTrue();
        assertThat(written(name)).isEmpty();
    }

    /**
     * GT-5. A force-release fails while a guarded transaction is open, and afterwards if it is based on a snapshot from
     * before.
     */
    @Test
    @ContractRule("GT-5")
    default void theLockIsNotForcedFreeUnderAnOpenTransaction() throws Exception {
        LockName name = guardedName();
        BlockingLock held = acquire(newLocks(), name);
        BlockingLocks operator = newLocks();
        LockSnapshot seen = operator.inspect(name).orElseThrow();
        List<BackgroundTask<Boolean>> forcing = new CopyOnWriteArrayList<>();

        inTransaction(held, data -> {
            CountDownLatch sent = nextSent(name);
            forcing.add(BackgroundTask.run(() -> isForcedFree(operator, seen)));
            forcing.get(0).runUntil(sent);
            data.write("guarded");
        });

        assertThat(forcing.get(0).result()).isFalse();
        assertThat(written(name)).containsExactly("guarded");
        assertThat(held.renew()).isTrue();
    }

    /**
     * GT-6. Keep-alive waits for the transaction instead of conflicting with it, renews the other locks meanwhile, and
     * continues afterwards.
     */
    @Test
    @ContractRule("GT-6")
    default void keepAliveDoesNotCollideWithAGuardedTransaction() throws Exception {
        LockName name = guardedName();
        try (FaultyLocks client = newFaulty(true)) {
            BlockingLock held = keepAlive(client.locks(), name);
            BlockingLock other = keepAlive(client.locks(), freshName());
            long before = held.lease().validUntilNanos();

            inTransaction(held, data -> {
                data.write("guarded");
                FaultRule writes = client.proxy().arm(CommandMatcher.atAll(WRITES), WireFault.none());
                elapseUntilRenewed(other);
                // A renewal of the held lock would wait for the end of the transaction.
                Eventually.isTrue(
                        "no write waits",
                        () -> writes.replies().size() == writes.requests().size());
                assertThat(writes.replies())
                        .allMatch(reply -> reply.getNumber("ok").intValue() == 1);
                assertThat(held.lease().validUntilNanos()).isEqualTo(before);
            });

            assertThat(written(name)).containsExactly("guarded");
            elapseUntilRenewed(held);
            assertThat(held.isHeld()).isTrue();
        }
    }

    /** GT-7. If the work throws, nothing is written, the lock stays held, and the caller gets the same exception. */
    @Test
    @ContractRule("GT-7")
    default void workThatFailsLeavesNothing() throws Exception {
        LockName name = guardedName();
        BlockingLock held = acquire(newLocks(), name);

        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> inTransaction(held, data -> {
                    data.write("half");
                    throw new UnsupportedOperationException("for a test");
                }))
                .withMessage("for a test");

        assertThat(held.renew()).isTrue();
        inTransaction(held, data -> data.write("whole"));
        assertThat(written(name)).containsExactly("whole");
    }

    /**
     * GT-11. During the transaction its holder can neither renew the lock, which would wait for its own transaction,
     * nor begin another guarded transaction.
     */
    @Test
    @ContractRule("GT-11")
    default void renewalAndNestedTransactionAreRefusedDuringATransaction() throws Exception {
        LockName name = guardedName();
        BlockingLock held = acquire(newLocks(), name);

        inTransaction(held, data -> {
            data.write("outer");
            assertThatIllegalStateException().isThrownBy(held::renew);
            assertThatIllegalStateException().isThrownBy(() -> inTransaction(held, inner -> inner.write("inner")));
        });

        assertThat(written(name)).containsExactly("outer");
        assertThat(held.renew()).isTrue();
    }

    /**
     * GT-12. A takeover after the end of the lease by the server's clock waits for the transaction and then finds a
     * renewed lease.
     */
    @Test
    @ContractRule("GT-12")
    default void aTakeoverWaitsForTheTransaction() throws Exception {
        LockName name = guardedName();
        BlockingLock paused = acquire(newPausedLocks(), name);
        BlockingLocks others = newLocks();
        List<BackgroundTask<Boolean>> taking = new CopyOnWriteArrayList<>();
        Duration rest = ttl().multipliedBy(3).dividedBy(10);
        server().elapse(ttl().minus(rest));

        inTransaction(paused, data -> {
            data.write("guarded");
            server().elapse(rest.multipliedBy(4).dividedBy(3));
            CountDownLatch sent = nextSent(name);
            taking.add(BackgroundTask.run(() -> others.tryAcquire(name, ttl()).isPresent()));
            taking.get(0).runUntil(sent);
        });

        assertThat(taking.get(0).result()).isFalse();
        assertThat(written(name)).containsExactly("guarded");
    }

    private static boolean isForcedFree(BlockingLocks operator, LockSnapshot seen) throws InterruptedException {
        try {
            return operator.forceRelease(seen);
        } catch (LockException e) {
            return false;
        }
    }

    /** GT-8. After a write conflict the whole transaction is retried; nothing of the aborted run remains. */
    @Test
    @ContractRule("GT-8")
    default void aConflictRepeatsTheWholeTransaction() throws Exception {
        LockName name = guardedName();
        try (FaultyLocks faulty = newFaulty(true)) {
            BlockingLock held = acquire(faulty.locks(), name);
            AtomicInteger times = new AtomicInteger();

            inTransaction(held, data -> {
                int time = times.incrementAndGet();
                data.write("first of time " + time);
                if (time == 1) {
                    faulty.refuse(1, 112, List.of("insert"));
                }
                data.write("second of time " + time);
            });

            assertThat(written(name)).containsExactlyInAnyOrder("first of time 2", "second of time 2");
        }
    }

    /**
     * GT-9. If the reply to a commit is lost or its durability is uncertain, the commit is retried and takes effect
     * once.
     *
     * @param executed whether the lost commit was executed
     */
    @ParameterizedTest(name = "executed={0}")
    @ValueSource(booleans = {true, false})
    @ContractRule("GT-9")
    default void ambiguousCommitIsExecutedOnce(boolean executed) throws Exception {
        LockName name = guardedName();
        try (FaultyLocks faulty = newFaulty(true)) {
            BlockingLock held = acquire(faulty.locks(), name);

            inTransaction(held, data -> {
                data.write("once");
                List<String> commit = List.of("commitTransaction");
                if (executed) {
                    faulty.failWriteConcern(2, commit);
                } else {
                    faulty.closeConnection(2, commit);
                }
            });

            assertThat(written(name)).containsExactly("once");
            assertThat(held.renew()).isTrue();
        }
    }

    /**
     * GT-10. If the caller is interrupted (or cancels) during the work, nothing is written, and the lock stays held.
     */
    @Test
    @ContractRule("GT-10")
    default void interruptDuringTheWorkWritesNothing() throws Exception {
        LockName name = guardedName();
        BlockingLock held = acquire(newLocks(), name);
        CountDownLatch working = new CountDownLatch(1);
        BackgroundTask<Boolean> work = BackgroundTask.run(() -> {
            inTransaction(held, data -> {
                data.write("interrupted");
                working.countDown();
                new CountDownLatch(1).await();
            });
            return true;
        });
        work.runUntil(working);

        work.interrupt();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(work::result);
        Eventually.isTrue("the lock can be used", () -> isRenewed(held));
        assertThat(written(name)).isEmpty();
    }

    private static boolean isRenewed(BlockingLock held) throws InterruptedException {
        try {
            return held.renew();
        } catch (IllegalStateException e) {
            return false;
        }
    }
}
