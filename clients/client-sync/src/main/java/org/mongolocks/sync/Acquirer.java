package org.mongolocks.sync;

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
import java.util.function.Supplier;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.internal.acquire.AcquireResult;
import org.mongolocks.internal.engine.ClientEngine;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.run.CompensatedProgram;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.Run;
import org.mongolocks.internal.run.Run.Action;
import org.mongolocks.internal.run.Run.Action.End;
import org.mongolocks.internal.run.Run.Action.Pause;
import org.mongolocks.sync.StepRunner.InterruptPolicy;
import org.mongolocks.time.Timer;

/** A runner of acquisitions on the calling thread, which compensates when one is aborted. Thread-safe. */
final class Acquirer {
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

    /** Returns the lock with that name that guards the work of this thread, or that it has locked, while it is held. */
    Optional<HeldLock> guarding(LockName name) {
        return work().guarding(name).or(() -> lockedByThisThread(name));
    }

    /** The same, but for work of an owner of {@link ReentrantLocks}. */
    Optional<HeldLock> guardingWithoutOwner(LockName name) {
        return work().guarding(name).filter(HeldLock::isExclusive).or(() -> lockedByThisThread(name));
    }

    private Optional<HeldLock> lockedByThisThread(LockName name) {
        return sessions.threadHolds().newest(name).filter(HeldLock::isHeld);
    }

    /** Work does not wait for a handle that its own thread has acquired. */
    LockRequest forWork(LockRequest request) {
        return engine.holds().isHeldByThisThread(request.name()) ? request.waitAtMost(Duration.ZERO) : request;
    }

    /** The same of work under several locks. */
    MultiLockRequest forWork(MultiLockRequest request) {
        return request.names().stream().anyMatch(engine.holds()::isHeldByThisThread)
                ? request.waitAtMost(Duration.ZERO)
                : request;
    }

    /**
     * Refuses to acquire a lock in the work that it guards, or to wait for one that this thread has locked: the thread would
     * wait for itself.
     *
     * @param isReentrant whether the request is that of an owner without the lock
     */
    private void requireNotOwn(LockName name, boolean isReentrant, Duration wait) {
        guarding(name)
                .filter(own -> !wait.isZero() || isRefused(own, isReentrant))
                .ifPresent(own -> {
                    throw new IllegalStateException(
                            "Lock '" + name + "' is held by this very thread, " + enteredBy(own));
                });
    }

    /** Without a wait another owner finds the lock contended. */
    private boolean isRefused(HeldLock own, boolean isReentrant) {
        return own.isExclusive()
                || (!isReentrant && work().guarding(own.lease().name()).isPresent());
    }

    private String enteredBy(HeldLock own) {
        if (own.isExclusive()) {
            return "in whose work it is requested again; only work of reentrant(owner) enters it, by its withLock and the like";
        }
        return work().guarding(own.lease().name()).isPresent()
                ? "in work of an owner; only requests of reentrant(owner) with this owner enter it again"
                : "which has locked it by asLock(); only asLock() locks it again, and work of reentrant(owner) enters it";
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
        throw new LockContendedException(
                holder.name(), holder, engine.holds().isHeldByThisThread(holder), contended.waitAtMost());
    }

    /** Acquires a lock; the policy decides what an interrupt does, and the function what a contended lock gives. */
    <X extends Exception> Optional<Hold> acquire(
            LockRequest request,
            boolean isReentrant,
            InterruptPolicy<X> interrupts,
            Function<AcquireResult.Contended, Optional<Hold>> otherwise)
            throws X {
        LockName name = request.name();
        requireNotOwn(name, isReentrant, request.waitAtMost());
        LockTask task = sessions.task("Acquiring", name);
        if (!request.waitAtMost().isZero() && RunningWork.isOfAnyClient(name)) {
            // The work of another client may hold this lock, or one of that name on another server.
            AcquireResult first = run(task, engine.acquire(request.waitAtMost(Duration.ZERO)), interrupts);
            if (!(first instanceof AcquireResult.Contended contended)) {
                return first.held(task).map(held -> held.get(0));
            }
            RunningWork.requireNotOwn(contended.lock());
        }
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
        request.names().forEach(name -> requireNotOwn(name, false, request.waitAtMost()));
        LockTask task = sessions.task("Acquiring", request.names());
        AcquireResult result = run(task, engine.acquireAll(request), InterruptPolicy.Interruptible.INSTANCE);
        return result instanceof AcquireResult.Contended contended ? otherwise.apply(contended) : result.held(task);
    }

    /** Runs an acquisition, and compensates if it is aborted. */
    <R, X extends Exception> R run(LockTask task, CompensatedProgram<R> program, InterruptPolicy<X> interrupts)
            throws X {
        StepRunner runner = sessions.open(task, program.limit());
        Run<R> run = runner.newRun(task, program);
        try {
            return runner.run(run, interrupts);
        } finally {
            Action<R> last = run.end();
            if (last instanceof End) {
                runner.close();
            } else {
                compensateLater(runner, run, () -> last);
            }
        }
    }

    /** A pending compensation runs in the same session, which then ends later than the call. */
    private <R> void compensateLater(StepRunner runner, Run<R> run, Supplier<Action<R>> next) {
        try {
            sessions.threads().compensations().execute(() -> compensate(runner, run, next));
        } catch (RejectedExecutionException e) {
            Action<R> unused = run.abort(e);
            runner.close();
        }
    }

    /** A pause occupies no thread: other compensations may succeed meanwhile. */
    private <R> void compensate(StepRunner runner, Run<R> run, Supplier<Action<R>> next) {
        if (!(runner.performUntilPause(run, next) instanceof Pause<R> pause)) {
            runner.close();
            return;
        }
        CompletableFuture<Void> end = new CompletableFuture<>();
        Timer.Timeout timeout = sessions.threads().timer().schedule(pause.delay(), () -> end.complete(null));
        pause.wakeUp().ifPresent(signal -> {
            CompletableFuture<Boolean> unused = signal.thenApply(done -> end.complete(null));
        });
        CompletableFuture<Void> unused = end.thenRun(() -> {
            timeout.cancel();
            compensateLater(runner, run, run::resumed);
        });
    }

    /** The work that runs under locks of one client, by thread. Thread-safe. */
    static final class RunningWork {
        /** The locks of all clients of this process whose work this thread runs. */
        private static final ThreadLocal<List<HeldLock>> OF_ANY_CLIENT = ThreadLocal.withInitial(ArrayList::new);

        private final Map<Thread, List<HeldLock>> running = new HashMap<>();

        static boolean isOfAnyClient(LockName name) {
            return OF_ANY_CLIENT.get().stream()
                    .anyMatch(lock -> lock.lease().name().equals(name));
        }

        /** Refuses to wait for a lock that guards the work of this thread, whichever client has acquired it. */
        static void requireNotOwn(LockSnapshot seen) {
            boolean isOwn = OF_ANY_CLIENT.get().stream()
                    .map(lock -> lock.lease().owner().stored())
                    .anyMatch(owner -> seen.holder().equals(Optional.of(owner)));
            if (isOwn) {
                throw new IllegalStateException("Lock '" + seen.name() + "' is held by this very thread, in whose work"
                        + " another client requests it");
            }
        }

        synchronized void begin(List<HeldLock> locks) {
            running.computeIfAbsent(Thread.currentThread(), thread -> new ArrayList<>())
                    .addAll(locks);
            OF_ANY_CLIENT.get().addAll(locks);
            locks.forEach(HeldLock::interruptOnLoss);
        }

        /** Ends the work, before its locks are released: no interrupt is registered for it any more. */
        synchronized void end(List<HeldLock> locks) {
            List<HeldLock> all = OF_ANY_CLIENT.get();
            all.removeIf(lock -> locks.stream().anyMatch(ended -> ended == lock));
            if (all.isEmpty()) {
                OF_ANY_CLIENT.remove();
            }
            running.computeIfPresent(Thread.currentThread(), (thread, own) -> {
                own.removeIf(lock -> locks.stream().anyMatch(ended -> ended == lock));
                return own.isEmpty() ? null : own;
            });
            notifyAll();
        }

        /** Returns the lock with that name that guards the work of this thread, while it is held. */
        Optional<HeldLock> guarding(LockName name) {
            return own().stream()
                    .filter(lock -> lock.lease().name().equals(name))
                    .filter(HeldLock::isHeld)
                    .findFirst();
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
