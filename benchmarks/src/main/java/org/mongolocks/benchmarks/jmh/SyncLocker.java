package org.mongolocks.benchmarks.jmh;

import java.util.function.LongConsumer;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/**
 * Locks with the synchronous driver.
 *
 * @param client the client
 */
record SyncLocker(LockClient client) implements Locker {
    @Override
    public void underLock(LockRequest request, LongConsumer section) throws InterruptedException {
        HeldLock lock =
                client.acquire(request).orElseThrow(() -> new LockException("The lock was not granted in time"));
        section.accept(lock.fencingToken());
        if (!lock.release()) {
            throw new LockException("The lock had been lost when it was released");
        }
    }
}
