package org.mongolocks.sync;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.mongolocks.ClientSettings.Timer;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.internal.acquire.AcquireResult;
import org.mongolocks.internal.engine.ClientEngine;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.run.BackgroundLog;
import org.mongolocks.internal.run.ClientRuns.CompensatedProgram;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.PendingCompensation;
import org.mongolocks.internal.run.PendingCompensation.PauseBetween;
import org.mongolocks.sync.StepRunner.InterruptPolicy;

/** A runner of acquisitions on the calling thread, which compensates when one is aborted. Thread-safe. */
final class Acquirer {
    private static final String EXPIRES_AFTER_TTL =
            "A lock that may have been acquired stays held until its ttl has passed";

    private final Sessions sessions;
    private final ClientEngine engine;

    Acquirer(Sessions sessions) {
        this.sessions = sessions;
        this.engine = sessions.engine();
    }

    /** Returns the work that runs under locks of this client. */
    RunningWork work() {
        return sessions.work();
    }

    /** Acquires a lock; empty if another owner holds it. */
    Optional<Hold> tryAcquire(LockRequest request) throws InterruptedException {
        return acquire(request, false, InterruptPolicy.Interruptible.INSTANCE, contended -> Optional.empty());
    }

    /** Acquires a lock, or throws an exception that names its holder. */
    Hold acquire(LockRequest request) throws InterruptedException {
        return acquire(request, false, InterruptPolicy.Interruptible.INSTANCE, this::insist)
                .orElseThrow();
    }

    /** Throws the exception that names the holder. */
    <T> Optional<T> insist(AcquireResult.Contended contended) {
        LockSnapshot holder = contended.lock();
        throw new LockContendedException(holder.name(), holder, engine.holds().isHeldByThisThread(holder));
    }

    /** Acquires a lock; the policy decides what an interrupt does, and the function what a contended lock gives. */
    <X extends Exception> Optional<Hold> acquire(
            LockRequest request,
            boolean isReentrant,
            InterruptPolicy<X> interrupts,
            Function<AcquireResult.Contended, Optional<Hold>> otherwise)
            throws X {
        LockName name = request.name();
        work().requireNotOwn(name, isReentrant);
        LockTask task = sessions.task("Acquiring", name);
        AcquireResult result = run(task, engine.acquire(request), interrupts);
        return result instanceof AcquireResult.Contended contended
                ? otherwise.apply(contended)
                : result.held(task).map(held -> held.get(0));
    }

    /** Acquires several locks, all or none; empty if one is held. */
    Optional<List<Hold>> tryAcquireAll(MultiLockRequest request) throws InterruptedException {
        return acquireAll(request, contended -> Optional.empty());
    }

    /** Acquires several locks, all or none, or throws an exception that names the holder of one of them. */
    List<Hold> acquireAll(MultiLockRequest request) throws InterruptedException {
        return acquireAll(request, this::insist).orElseThrow();
    }

    private Optional<List<Hold>> acquireAll(
            MultiLockRequest request, Function<AcquireResult.Contended, Optional<List<Hold>>> otherwise)
            throws InterruptedException {
        request.names().forEach(name -> work().requireNotOwn(name, false));
        LockTask task = sessions.task("Acquiring", request.names());
        AcquireResult result = run(task, engine.acquireAll(request), InterruptPolicy.Interruptible.INSTANCE);
        return result instanceof AcquireResult.Contended contended ? otherwise.apply(contended) : result.held(task);
    }

    /** Runs an acquisition, and compensates if it is aborted. */
    <R, X extends Exception> R run(LockTask task, CompensatedProgram<R> program, InterruptPolicy<X> interrupts)
            throws X {
        StepRunner runner = sessions.open(task, program.limit());
        try {
            return runner.run(task, program::start, interrupts);
        } catch (Throwable e) {
            compensate(runner, task, program, e);
            throw e;
        } finally {
            program.close();
            // A pending compensation runs in the same session, which then ends later than the call.
            program.pendingCompensation()
                    .ifPresentOrElse(
                            pending -> compensateLater(new LateCompensation(runner, task, pending)), runner::close);
        }
    }

    private static void compensate(
            StepRunner runner, LockTask task, CompensatedProgram<?> program, Throwable cutShort) {
        if (program.needsCompensation()) {
            try {
                runner.runUninterruptibly(task.and(" was aborted; releasing it"), program::compensate);
            } catch (RuntimeException e) {
                cutShort.addSuppressed(e);
            }
        }
    }

    /** A compensation and its session. */
    private record LateCompensation(StepRunner runner, LockTask task, PendingCompensation pending) {
        Optional<PauseBetween> attempt() {
            return runner.runUninterruptibly(task.and(" got no reply in time; releasing it"), pending::attempt);
        }

        void end() {
            runner.close();
        }

        void giveUp(RuntimeException e) {
            end();
            BackgroundLog.log(WARNING, EXPIRES_AFTER_TTL + ": " + e);
        }
    }

    private void compensateLater(LateCompensation late) {
        try {
            sessions.threads().compensations().execute(() -> compensate(late));
        } catch (RejectedExecutionException e) {
            late.giveUp(e);
        }
    }

    /** Makes one attempt. A pause before the next one occupies no thread: other compensations may succeed meanwhile. */
    private void compensate(LateCompensation late) {
        try {
            late.attempt().ifPresentOrElse(pause -> compensateAfter(pause, late), late::end);
        } catch (RuntimeException e) {
            late.giveUp(e);
        }
    }

    private void compensateAfter(PauseBetween pause, LateCompensation late) {
        CompletableFuture<Void> end = pause.closed().future();
        Timer.Timeout timeout = sessions.threads().timer().schedule(pause.delay(), () -> end.complete(null));
        CompletableFuture<Void> unused = end.thenRun(() -> {
            timeout.cancel();
            pause.closed().close();
            compensateLater(late);
        });
    }

    /** The work that runs under locks of one client, by thread. Thread-safe. */
    static final class RunningWork {
        private final Map<Thread, List<HeldLock>> running = new HashMap<>();

        synchronized void begin(List<HeldLock> locks) {
            running.computeIfAbsent(Thread.currentThread(), thread -> new ArrayList<>())
                    .addAll(locks);
            locks.forEach(HeldLock::interruptOnLoss);
        }

        /** Ends the work, before its locks are released: no interrupt is registered for it any more. */
        synchronized void end(List<HeldLock> locks) {
            running.computeIfPresent(Thread.currentThread(), (thread, own) -> {
                own.removeIf(lock -> locks.stream().anyMatch(ended -> ended == lock));
                return own.isEmpty() ? null : own;
            });
            notifyAll();
        }

        /**
         * Refuses to acquire a lock in the work that it guards: the work would wait for its own end.
         *
         * @param isReentrant whether an owner asks, which may differ from the owner that entered the lock
         */
        void requireNotOwn(LockName name, boolean isReentrant) {
            boolean isOwn = own().stream()
                    .filter(lock -> lock.lease().name().equals(name))
                    .filter(lock -> !isReentrant || lock.isExclusive())
                    .anyMatch(HeldLock::isHeld);
            if (isOwn) {
                throw new IllegalStateException("Lock '" + name
                        + "' is held by this very thread, in whose work it is requested again; to enter it again use"
                        + " reentrant(owner)");
            }
        }

        /** Returns the lock with that name that guards the work of this thread, while it is held. */
        Optional<HeldLock> guarding(LockName name) {
            return own().stream()
                    .filter(lock -> lock.lease().name().equals(name))
                    .filter(HeldLock::isHeld)
                    .findFirst();
        }

        /**
         * Interrupts this thread again if the loss of another lock has interrupted its work: a thread has one flag for all,
         * which the caller has cleared for one.
         */
        void interruptAgain() {
            if (own().stream().anyMatch(HeldLock::isInterruptPending)) {
                Thread.currentThread().interrupt();
            }
        }

        boolean isOfThisThread() {
            return !own().isEmpty();
        }

        /** Waits until no work runs on another thread, at most that long. */
        synchronized void awaitEnd(Duration limit) throws InterruptedException {
            long deadlineNanos = System.nanoTime() + limit.toNanos();
            long left = limit.toNanos();
            while (left > 0 && running.keySet().stream().anyMatch(thread -> thread != Thread.currentThread())) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = deadlineNanos - System.nanoTime();
            }
        }

        private synchronized List<HeldLock> own() {
            return List.copyOf(running.getOrDefault(Thread.currentThread(), List.of()));
        }
    }
}
