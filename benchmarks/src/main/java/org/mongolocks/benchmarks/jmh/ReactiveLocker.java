package org.mongolocks.benchmarks.jmh;

import java.util.function.LongConsumer;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;

/**
 * Locks with the reactive-streams driver. The calling thread waits for each reply, and the section runs on it.
 *
 * @param client the client
 */
record ReactiveLocker(ReactiveLockClient client) implements Locker {
    @Override
    public void underLock(LockRequest request, LongConsumer section) {
        ReactiveHeldLock lock = client.acquire(request).block();
        if (lock == null) {
            throw new LockException("The lock was not granted in time");
        }
        section.accept(lock.fencingToken());
        if (!Boolean.TRUE.equals(lock.release().block())) {
            throw new LockException("The lock had been lost when it was released");
        }
    }
}
