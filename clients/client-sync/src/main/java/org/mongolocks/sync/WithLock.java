package org.mongolocks.sync;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.sync.Acquirer.RunningWork;
import org.mongolocks.sync.HeldLock.LockedCallable;
import org.mongolocks.sync.HeldLocks.OneByOne;

/**
 * The execution of work under locks, which are released in every case. Work that a loss has interrupted ends with the
 * interrupt set, whatever it did with it: that of an enclosing lock, or of the application, may have come beside it.
 */
record WithLock(RunningWork running) {

    @FunctionalInterface
    interface Action<R extends @Nullable Object, E extends Exception> {
        R run() throws E;
    }

    /** Runs work under a lock. */
    <R extends @Nullable Object, E extends Exception> R call(HeldLock lock, LockedCallable<R, E> work) throws E {
        return under(List.of(lock), () -> work.call(lock));
    }

    /** Runs work under a lock, if it was acquired. */
    <R, E extends Exception> Optional<R> call(Optional<HeldLock> acquired, LockedCallable<R, E> work) throws E {
        return acquired.isPresent() ? result(call(acquired.get(), work)) : Optional.empty();
    }

    /** Refuses a result that would look as if nothing had been done. */
    static <R> Optional<R> result(@Nullable R result) {
        return Optional.of(Objects.requireNonNull(result, "The result of the work is null"));
    }

    /** Releases every lock, also if that fails for one of them; throws the first loss. */
    <R extends @Nullable Object, E extends Exception> R under(List<HeldLock> locks, Action<R, E> action) throws E {
        R result;
        boolean done = false;
        try {
            requireHeld(locks);
            running.begin(locks);
            requireHeld(locks);
            result = orLoss(locks, action);
            done = true;
        } finally {
            running.end(locks);
            locks.forEach(HeldLock::endInterrupt);
            if (locks.stream().anyMatch(HeldLock::hasInterrupted)) {
                Thread.currentThread().interrupt();
            }
            if (!done) {
                locks.forEach(HeldLock::close);
            }
        }
        OneByOne.run(locks, lock -> lock.endOfWork().finish());
        return result;
    }

    /** Between the grant and the work the lock may have been lost, or its client closed. */
    private static void requireHeld(List<HeldLock> locks) {
        locks.stream().filter(lock -> !lock.isHeld()).findFirst().ifPresent(lost -> {
            throw lost.endOfWork().hold().lossException(null);
        });
    }

    /** Work aborted by a loss is reported as a loss; an error, or a failure for another reason, carries the losses. */
    private static <R extends @Nullable Object, E extends Exception> R orLoss(List<HeldLock> locks, Action<R, E> action)
            throws E {
        try {
            return action.run();
        } catch (Exception e) {
            for (HeldLock lock : locks) {
                Hold hold = lock.endOfWork().hold();
                if (lock.hasInterrupted() && !hold.isReportedBy(e)) {
                    throw hold.lossException(e);
                }
            }
            addLossesTo(e, locks);
            throw e;
        } catch (Error e) {
            addLossesTo(e, locks);
            throw e;
        }
    }

    private static void addLossesTo(Throwable error, List<HeldLock> locks) {
        locks.stream()
                .filter(lock -> !lock.isHeld() && lock.loss().isPresent())
                .forEach(lock -> lock.endOfWork().hold().addLossTo(error));
    }

    /** The end of work that a lock guarded, on the thread of the work. */
    record Completion(HeldLock lock, Hold hold) {
        /**
         * Releases the lock; reports an earlier loss, but only logs a failed release, because the work was done in time.
         */
        void finish() {
            boolean held;
            try {
                held = lock.release();
            } catch (RuntimeException e) {
                hold.logReleaseFailed(" after the work", e);
                return;
            }
            if (!held && lock.loss().isPresent()) {
                throw hold.lossException(null);
            }
        }
    }
}
