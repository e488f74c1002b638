package org.mongolocks.leader.internal;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;
import static org.mongolocks.leader.CandidacyState.CLOSED;
import static org.mongolocks.leader.CandidacyState.HANDING_OVER;
import static org.mongolocks.leader.CandidacyState.LEADING;
import static org.mongolocks.leader.CandidacyState.SUSPENDED;
import static org.mongolocks.leader.CandidacyState.WAITING;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.leader.CandidacyState;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.LeaderEvent;
import org.mongolocks.leader.Revocation;
import org.mongolocks.leader.Revocation.Reason;
import org.mongolocks.leader.Term;
import org.mongolocks.leader.internal.CandidateWork.Running;
import org.mongolocks.leader.internal.LockPort.Answer;
import org.mongolocks.leader.internal.LockPort.RoleLock;
import org.mongolocks.time.Timer.Timeout;

/**
 * The course of one candidacy: it asks for the lock of the role, leads while the lease lasts, is revoked before the
 * lease ends, releases the lock when the work of the term has ended, pauses and asks again. {@link CandidacyState}
 * shows the states.
 *
 * <p>It has no thread: each step is a turn, on the thread that causes it, one after another, and none blocks. The lock
 * is released only when the work has ended or its grace is over, and the candidate asks again only when both have
 * happened: two terms of one candidacy never overlap. Thread-safe.
 */
public final class ElectionMachine {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");
    /** While a term is suspended, this part of the time until its revocation passes between two checks. */
    private static final int CHECKS = 4;

    private static final Duration MIN_CHECK = Duration.ofMillis(1);
    /** The time after which a release that could not begin is repeated. */
    private static final Duration RELEASED_AGAIN = Duration.ofSeconds(1);

    private final Candidate candidate;
    private final LockPort locks;
    private final CandidateWork work;
    private final Turns turns = new Turns();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile CandidacyState state = WAITING;
    private volatile @Nullable CurrentTerm current;
    /** What ends the present wait, if the candidacy is closed in it. */
    private Runnable endOfWait = () -> {};

    private boolean closing;
    private boolean failing;

    /** Creates a candidacy. */
    public ElectionMachine(Candidate candidate, LockPort locks, CandidateWork work) {
        this.candidate = candidate;
        this.locks = locks;
        this.work = work;
    }

    /** Begins to ask for the role. Called once. If it fails, as when no thread can be started, the candidacy has ended. */
    public void begin() {
        orElse(() -> turns.add(this::ask), () -> turns.add(() -> closeNow(Duration.ZERO)));
    }

    /** Returns the state. */
    public CandidacyState state() {
        return state;
    }

    /**
     * Returns the current term.
     *
     * @return the term; empty if the candidate does not lead
     */
    public Optional<Term> term() {
        CurrentTerm term = current;
        return term == null || !term.isLeading() ? Optional.empty() : Optional.of(term);
    }

    /** Ends the current term, if there is one. */
    public void resign() {
        CurrentTerm term = current;
        if (term != null) {
            term.resign();
        }
    }

    /**
     * Ends the candidacy: the term is revoked, or the wait ends.
     *
     * @param grace how long the work of the term may go on before the lock is released
     * @return completes when the lock is released and the work has ended
     */
    public CompletableFuture<Void> close(Duration grace) {
        turns.add(() -> closeNow(grace));
        return closed.copy();
    }

    /** Returns the end of the candidacy. */
    public CompletableFuture<Void> closed() {
        return closed.copy();
    }

    private void closeNow(Duration grace) {
        if (closing) {
            return;
        }
        closing = true;
        CurrentTerm term = current;
        if (term == null) {
            endOfWait.run();
        } else if (term.revocation == null) {
            revoke(term, new Revocation(Reason.CLOSED, grace));
        }
    }

    private void ask() {
        if (closing) {
            end();
            return;
        }
        state = WAITING;
        if (candidate.timing().standby().isZero()) {
            acquire(LockRequest.MAX_WAIT);
        } else {
            look(Optional.empty());
        }
    }

    private void acquire(Duration wait) {
        Answer<Optional<RoleLock>> answer =
                answer(lock -> lock.ifPresentOrElse(ElectionMachine.this::granted, ElectionMachine.this::ask));
        orElse(() -> endOfWait = locks.acquire(candidate.request(wait), answer), () -> turns.add(this::pause));
    }

    /** Reads the lock; asks for it if it was free at the read before too, and was not granted in between. */
    private void look(Optional<LockSnapshot> before) {
        endOfWait = () -> {};
        Answer<Optional<LockSnapshot>> answer =
                answer(found -> seen(before, found.orElseGet(() -> LockSnapshot.unused(candidate.role()))));
        orElse(() -> locks.inspect(candidate.role(), answer), () -> turns.add(this::pause));
    }

    private <T> Answer<T> answer(Consumer<T> next) {
        return new Answer<>() {
            @Override
            public void done(T result) {
                turns.add(() -> next.accept(result));
            }

            @Override
            public void failed(Throwable error) {
                turns.add(() -> ElectionMachine.this.failed(
                        error instanceof RuntimeException known
                                ? known
                                : new LockException("A request for a role failed", error)));
            }
        };
    }

    /** Runs a step, and if it throws, what keeps the candidacy from waiting for ever. */
    public static void orElse(Runnable step, Runnable otherwise) {
        boolean hasReturned = false;
        try {
            step.run();
            hasReturned = true;
        } finally {
            if (!hasReturned) {
                otherwise.run();
            }
        }
    }

    private void seen(Optional<LockSnapshot> before, LockSnapshot now) {
        if (closing) {
            end();
        } else if (now.isHeld()) {
            later(candidate.timing().standby(), () -> look(Optional.empty()), this::end);
        } else if (before.isPresent() && before.get().fencingToken() == now.fencingToken()) {
            acquire(Duration.ZERO);
        } else {
            later(candidate.timing().standby(), () -> look(Optional.of(now)), this::end);
        }
    }

    private void granted(RoleLock lock) {
        failing = false;
        Duration settling = candidate.timing().settling();
        if (closing) {
            release(lock, this::end);
        } else if (settling.isZero()) {
            settled(lock);
        } else {
            later(settling, () -> settled(lock), () -> release(lock, this::end));
        }
    }

    private void settled(RoleLock lock) {
        if (lock.remaining().compareTo(candidate.timing().revokedAt()) <= 0) {
            release(lock, this::pause);
            return;
        }
        CurrentTerm term = new CurrentTerm(lock);
        current = term;
        state = LEADING;
        work.handle(new LeaderEvent.Elected(term));
        Runnable ended = () -> turns.add(() -> workEnded(term));
        orElse(() -> term.work = work.begin(term, lock, ended), ended);
        lock.watch(
                List.of(candidate.timing().suspendedAt(), candidate.timing().revokedAt()),
                () -> turns.add(() -> check(term)));
        check(term);
    }

    /** Compares what is left of the lease with the times of the candidate. */
    private void check(CurrentTerm term) {
        if (term.revocation != null) {
            return;
        }
        Duration left = term.lock.remaining();
        boolean isLapsing = term.lapsed || left.compareTo(candidate.timing().revokedAt()) <= 0;
        if (left.isZero()) {
            revoke(term, new Revocation(term.lock.loss().map(Reason::of).orElse(Reason.LAPSED), Duration.ZERO));
        } else if (isLapsing) {
            revoke(term, new Revocation(Reason.LAPSING, left));
        } else {
            suspendOrResume(term, left);
            term.checkAfter(untilNextCheck(left));
        }
    }

    private void suspendOrResume(CurrentTerm term, Duration left) {
        boolean isEndangered = left.compareTo(candidate.timing().suspendedAt()) <= 0;
        if (isEndangered && state == LEADING) {
            state = SUSPENDED;
            work.handle(new LeaderEvent.Suspended(term, term.remaining()));
        } else if (!isEndangered && state == SUSPENDED) {
            state = LEADING;
            work.handle(new LeaderEvent.Resumed(term));
        }
    }

    private Duration untilNextCheck(Duration left) {
        Candidate.Timing timing = candidate.timing();
        Duration next = state == LEADING
                ? left.minus(timing.suspendedAt())
                : Collections.min(List.of(
                        left.minus(timing.revokedAt()),
                        timing.suspendedAt().minus(timing.revokedAt()).dividedBy(CHECKS)));
        return Collections.max(List.of(next, MIN_CHECK));
    }

    private void revoke(CurrentTerm term, Revocation revocation) {
        term.revocation = revocation;
        term.check.cancel();
        state = HANDING_OVER;
        work.handle(new LeaderEvent.Revoked(term, revocation));
        if (term.hasWorkEnded) {
            handOver(term);
            return;
        }
        term.work.revoke();
        term.check = locks.timer().schedule(revocation.grace(), () -> turns.add(() -> graceOver(term)));
    }

    private void graceOver(CurrentTerm term) {
        if (!term.hasWorkEnded && !term.isHandedOver) {
            if (!term.revocation().orElseThrow().grace().isZero()) {
                LOG.log(WARNING, "The work of " + term + " goes on after its revocation; the role passes on");
            }
            handOver(term);
        }
    }

    private void workEnded(CurrentTerm term) {
        if (term.hasWorkEnded) {
            return;
        }
        term.hasWorkEnded = true;
        if (term.revocation == null) {
            revoke(term, new Revocation(Reason.WORK_ENDED, candidate.ttl()));
        } else {
            handOver(term);
            endOfTerm(term);
        }
    }

    private void handOver(CurrentTerm term) {
        if (!term.isHandedOver) {
            term.isHandedOver = true;
            term.check.cancel();
            release(term.lock, () -> {
                term.isReleased = true;
                endOfTerm(term);
            });
        }
    }

    private void release(RoleLock lock, Runnable then) {
        orElse(() -> lock.release(() -> turns.add(then)), () -> {
            Timeout unused = locks.timer().schedule(RELEASED_AGAIN, () -> turns.add(() -> release(lock, then)));
        });
    }

    private void endOfTerm(CurrentTerm term) {
        if (!term.isReleased || !term.hasWorkEnded || current != term) {
            return;
        }
        current = null;
        boolean asksInOrder =
                candidate.isFair() && term.revocation().orElseThrow().reason() == Reason.RESIGNED;
        if (closing || candidate.leadsOnce()) {
            end();
        } else if (asksInOrder) {
            ask();
        } else {
            pause();
        }
    }

    private void failed(RuntimeException error) {
        if (closing || error instanceof ClientClosedException) {
            end();
            return;
        }
        LOG.log(failing ? DEBUG : WARNING, "Candidate for role '" + candidate.role() + "' asks again after: " + error);
        failing = true;
        work.handle(new LeaderEvent.Failed(candidate.role(), error));
        pause();
    }

    private void pause() {
        if (closing) {
            end();
            return;
        }
        state = WAITING;
        later(candidate.timing().pause(), this::ask, this::end);
    }

    /** Waits for the timer. After a close in that wait a late call of the timer has no effect. */
    private void later(Duration delay, Runnable next, Runnable ifClosed) {
        Timeout timeout = locks.timer()
                .schedule(
                        delay,
                        () -> turns.add(() -> {
                            if (!closing) {
                                endOfWait = () -> {};
                                next.run();
                            }
                        }));
        endOfWait = () -> {
            timeout.cancel();
            ifClosed.run();
        };
    }

    private void end() {
        closing = true;
        state = CLOSED;
        closed.complete(null);
    }

    /** The current term; its fields change in turns only. */
    private final class CurrentTerm implements Term {
        private final RoleLock lock;
        private volatile @Nullable Revocation revocation;
        /** So little of the lease was left once: a later renewal does not help. */
        private volatile boolean lapsed;

        private Running work = () -> {};
        private Timeout check = () -> {};
        private boolean hasWorkEnded;
        private boolean isHandedOver;
        private boolean isReleased;

        CurrentTerm(RoleLock lock) {
            this.lock = lock;
        }

        @Override
        public LockName role() {
            return candidate.role();
        }

        @Override
        public long fencingToken() {
            return lock.fencingToken();
        }

        @Override
        public boolean isLeading() {
            return !remaining().isZero();
        }

        @Override
        public Duration remaining() {
            if (revocation != null || lapsed) {
                return Duration.ZERO;
            }
            Duration left = lock.remaining().minus(candidate.timing().revokedAt());
            if (left.isNegative() || left.isZero()) {
                lapsed = true;
                turns.add(() -> check(this));
                return Duration.ZERO;
            }
            return left;
        }

        @Override
        public Optional<Revocation> revocation() {
            return Optional.ofNullable(revocation);
        }

        @Override
        public void resign() {
            turns.add(() -> {
                if (revocation == null) {
                    revoke(this, new Revocation(Reason.RESIGNED, candidate.ttl()));
                }
            });
        }

        void checkAfter(Duration delay) {
            check.cancel();
            check = locks.timer().schedule(delay, () -> turns.add(() -> check(this)));
        }

        @Override
        public String toString() {
            return "the leader of role '" + role() + "' with token " + fencingToken();
        }
    }
}
