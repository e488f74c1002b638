package org.mongolocks.micrometer;

import io.micrometer.observation.ObservationRegistry;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockRequest;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.HeldLock.LockedCallable;
import org.mongolocks.sync.LockClient;
import org.mongolocks.sync.LockOperations;

/**
 * Calls of a {@link LockClient} with observations, for traces and logs: {@link LockObservation#ACQUIRE} while it
 * acquires, and {@link LockObservation#WORK} from the grant until the release has ended. Each is the current
 * observation of the thread meanwhile, so that commands which the driver observes, and observations of the work, are
 * its children.
 *
 * <pre>{@code
 * ObservedLocks observed = ObservedLocks.of(locks, observationRegistry);
 * boolean done = observed.tryWithLock(request, lock -> bill(lock)); // false if another owner holds it
 * }</pre>
 *
 * <p>Each method does what the client's method of that name does, with the same results and exceptions, and sends
 * nothing besides. With {@link ObservationRegistry#NOOP} it only forwards. A contended lock is an outcome, not an
 * error. Renewals and losses happen on threads of the client: {@link LockMetrics} counts them. Thread-safe.
 */
public final class ObservedLocks implements LockOperations {
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

    @Override
    public LockRequest request(String name) {
        return locks.request(name);
    }

    @Override
    public Optional<HeldLock> tryAcquire(LockRequest request) throws InterruptedException {
        if (registry.isNoop()) {
            return locks.tryAcquire(request);
        }
        return this.<Optional<HeldLock>, RuntimeException>observe(request, call -> {
            Optional<HeldLock> acquired = locks.tryAcquire(request);
            acquired.ifPresent(lock -> call.acquired(lock.fencingToken()));
            return acquired;
        });
    }

    @Override
    public HeldLock acquire(LockRequest request) throws InterruptedException {
        if (registry.isNoop()) {
            return locks.acquire(request);
        }
        return this.<HeldLock, RuntimeException>observe(request, call -> {
            HeldLock acquired = locks.acquire(request);
            call.acquired(acquired.fencingToken());
            return acquired;
        });
    }

    @Override
    public <R extends @Nullable Object, E extends Exception> R callWithLock(
            LockRequest request, LockedCallable<R, E> work) throws E, InterruptedException {
        Objects.requireNonNull(work, "The work is null");
        if (registry.isNoop()) {
            return locks.callWithLock(request, work);
        }
        return this.<R, E>observe(request, call -> locks.<R, E>callWithLock(request, observed(call, work)));
    }

    @Override
    public <R, E extends Exception> Optional<R> tryCallWithLock(LockRequest request, LockedCallable<R, E> work)
            throws E, InterruptedException {
        Objects.requireNonNull(work, "The work is null");
        if (registry.isNoop()) {
            return locks.tryCallWithLock(request, work);
        }
        return this.<Optional<R>, E>observe(
                request, call -> locks.<R, E>tryCallWithLock(request, observed(call, work)));
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
                new ObservedCall(registry, request.name(), locks.strategyName(), ObservedCall.Mode.SYNC, null);
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
