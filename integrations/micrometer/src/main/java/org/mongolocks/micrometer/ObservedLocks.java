package org.mongolocks.micrometer;

import io.micrometer.observation.ObservationRegistry;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.HeldLock.LockedAction;
import org.mongolocks.sync.HeldLock.LockedCallable;
import org.mongolocks.sync.LockClient;

/**
 * Calls of a {@link LockClient} with observations, for traces and logs: {@link LockObservation#ACQUIRE} while it
 * acquires, and {@link LockObservation#WORK} from the grant until the release has ended. Each is the current
 * observation of the thread meanwhile, so that commands which the driver observes, and observations of the work, are
 * its children.
 *
 * <pre>{@code
 * ObservedLocks observed = ObservedLocks.of(locks, observationRegistry);
 * boolean done = observed.withLock(request, lock -> bill(lock)); // false if another owner holds it
 * }</pre>
 *
 * <p>Each method does what the client's method of that name does, with the same results and exceptions, and sends
 * nothing besides. With {@link ObservationRegistry#NOOP} it only forwards. A contended lock is an outcome, not an
 * error. Renewals and losses happen on threads of the client: {@link LockMetrics} counts them. Thread-safe.
 */
public final class ObservedLocks {
    private final LockClient locks;
    private final ObservationRegistry registry;

    private ObservedLocks(LockClient locks, ObservationRegistry registry) {
        this.locks = Objects.requireNonNull(locks, "The client is null");
        this.registry = Objects.requireNonNull(registry, "The registry is null");
    }

    /**
     * Creates observed calls of a client. No round trip.
     *
     * @param locks the client; the caller closes it
     * @param registry the registry of the observations
     * @return the observed calls
     */
    public static ObservedLocks of(LockClient locks, ObservationRegistry registry) {
        return new ObservedLocks(locks, registry);
    }

    /**
     * Acquires a lock as {@link LockClient#acquire} does, and observes the acquisition; with a request without a wait,
     * it makes one attempt.
     *
     * @param request the lock, the ttl and the wait
     * @return the held lock, or empty if another owner held it all the time
     * @throws LockException as the client does
     * @throws InterruptedException if the thread was interrupted; nothing is held
     */
    public Optional<HeldLock> acquire(LockRequest request) throws InterruptedException {
        if (registry.isNoop()) {
            return locks.acquire(request);
        }
        return this.<Optional<HeldLock>, RuntimeException>observe(request, call -> {
            Optional<HeldLock> acquired = locks.acquire(request);
            acquired.ifPresent(lock -> call.acquired(lock.fencingToken()));
            return acquired;
        });
    }

    /**
     * Acquires a lock as {@link LockClient#acquireOrThrow(LockRequest)} does, and observes the acquisition.
     *
     * @param request the lock, the ttl and the wait
     * @return the held lock
     * @throws LockException as the client does, also if another owner held the lock all the time
     * @throws InterruptedException if the thread was interrupted; nothing is held
     */
    public HeldLock acquireOrThrow(LockRequest request) throws InterruptedException {
        if (registry.isNoop()) {
            return locks.acquireOrThrow(request);
        }
        return this.<HeldLock, RuntimeException>observe(request, call -> {
            HeldLock acquired = locks.acquireOrThrow(request);
            call.acquired(acquired.fencingToken());
            return acquired;
        });
    }

    /**
     * Runs work as {@link LockClient#withLock(LockRequest, LockedAction)} does, and observes the acquisition and the
     * work.
     *
     * @param request the lock, the ttl and the wait
     * @param action the work
     * @param <E> the exceptions of the work
     * @return true if the work was done; false if another owner held the lock all the time and nothing was done
     * @throws E if the work failed
     * @throws LockException as the client does, also if the lock was lost before the end of the work
     * @throws InterruptedException if the thread was interrupted while it waited; nothing was done
     */
    public <E extends Exception> boolean withLock(LockRequest request, LockedAction<E> action)
            throws E, InterruptedException {
        Objects.requireNonNull(action, "The action is null");
        if (registry.isNoop()) {
            return locks.withLock(request, action);
        }
        return this.<Boolean, E>observe(
                request,
                call -> locks.<E>withLock(request, lock -> {
                    call.beginWork(lock.fencingToken());
                    action.run(lock);
                }));
    }

    /**
     * Runs work as {@link LockClient#callWithLock(LockRequest, LockedCallable)} does, and observes the acquisition and
     * the work.
     *
     * @param request the lock, the ttl and the wait
     * @param work the work; its result is not null
     * @param <R> the result of the work
     * @param <E> the exceptions of the work
     * @return the result; empty if another owner held the lock all the time and nothing was done
     * @throws E if the work failed
     * @throws LockException as the client does, also if the lock was lost before the end of the work
     * @throws InterruptedException if the thread was interrupted while it waited; nothing was done
     */
    public <R, E extends Exception> Optional<R> callWithLock(LockRequest request, LockedCallable<R, E> work)
            throws E, InterruptedException {
        Objects.requireNonNull(work, "The work is null");
        if (registry.isNoop()) {
            return locks.callWithLock(request, work);
        }
        return this.<Optional<R>, E>observe(request, call -> locks.<R, E>callWithLock(request, observed(call, work)));
    }

    /**
     * Runs work as {@link LockClient#call(LockRequest, LockedCallable)} does, and observes the acquisition and the
     * work.
     *
     * @param request the lock, the ttl and the wait
     * @param work the work
     * @param <R> the result of the work; it may be null
     * @param <E> the exceptions of the work
     * @return the result
     * @throws E if the work failed
     * @throws LockException as the client does, also if another owner held the lock all the time
     * @throws InterruptedException if the thread was interrupted while it waited; nothing was done
     */
    public <R extends @Nullable Object, E extends Exception> R call(LockRequest request, LockedCallable<R, E> work)
            throws E, InterruptedException {
        Objects.requireNonNull(work, "The work is null");
        if (registry.isNoop()) {
            return locks.call(request, work);
        }
        return this.<R, E>observe(request, call -> locks.<R, E>call(request, observed(call, work)));
    }

    private static <R extends @Nullable Object, E extends Exception> LockedCallable<R, E> observed(
            ObservedCall call, LockedCallable<R, E> work) {
        return lock -> {
            call.beginWork(lock.fencingToken());
            return work.call(lock);
        };
    }

    private <R extends @Nullable Object, E extends Exception> R observe(LockRequest request, Call<R, E> body)
            throws E, InterruptedException {
        Objects.requireNonNull(request, "The request is null");
        ObservedCall call =
                new ObservedCall(registry, request.name(), locks.strategy().name(), ObservedCall.Mode.SYNC, null);
        try {
            R result = body.run(call);
            call.returned();
            return result;
        } catch (Exception e) {
            call.failed(e);
            throw e;
        } finally {
            call.close();
        }
    }

    /** A call of the client. */
    @FunctionalInterface
    private interface Call<R extends @Nullable Object, E extends Exception> {
        R run(ObservedCall call) throws E, InterruptedException;
    }
}
