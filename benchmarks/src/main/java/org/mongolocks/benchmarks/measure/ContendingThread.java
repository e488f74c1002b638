package org.mongolocks.benchmarks.measure;

import com.mongodb.MongoException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.server.Complaints;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/** Is one of those who want the same lock: it asks, visits the data, gives the lock back, and asks again until the end. */
final class ContendingThread implements Callable<ContendingThread.Log> {
    /**
     * Is what one contender went through.
     *
     * @param grants how often it got the lock
     * @param longestWaitNanos its longest wait, also for what it did not get before the end
     * @param errors what went wrong, in words
     */
    record Log(long grants, long longestWaitNanos, List<String> errors) {}

    private final LockClient client;
    private final LockRequest request;
    private final ProtectedData data;
    private final long endNanos;
    private final List<String> errors = new ArrayList<>();
    private long grants;
    private long longestWaitNanos;

    ContendingThread(LockClient client, LockRequest request, ProtectedData data, long endNanos) {
        this.client = client;
        this.request = request;
        this.data = data;
        this.endNanos = endNanos;
    }

    @Override
    public Log call() throws InterruptedException {
        long left = endNanos - System.nanoTime();
        while (left > 0) {
            compete(Duration.ofNanos(left));
            left = endNanos - System.nanoTime();
        }
        return new Log(grants, longestWaitNanos, errors);
    }

    private void compete(Duration left) throws InterruptedException {
        try {
            Optional<HeldLock> lock = acquire(left);
            if (lock.isPresent()) {
                grants++;
                visit(lock.get());
            }
        } catch (LockException | MongoException e) {
            errors.add(Complaints.gist(e));
        }
    }

    private Optional<HeldLock> acquire(Duration left) throws InterruptedException {
        long asked = System.nanoTime();
        try {
            return client.acquire(request.waitAtMost(left));
        } finally {
            longestWaitNanos = Math.max(longestWaitNanos, System.nanoTime() - asked);
        }
    }

    private void visit(HeldLock lock) {
        try {
            data.visit(lock.fencingToken());
        } finally {
            release(lock);
        }
    }

    private void release(HeldLock lock) {
        if (!lock.release()) {
            errors.add("A lock with a ttl of " + request.ttl() + " had been lost when it was released");
        }
    }
}
