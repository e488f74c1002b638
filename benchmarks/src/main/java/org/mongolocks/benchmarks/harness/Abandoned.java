package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.measure.ProtectedData;
import org.mongolocks.benchmarks.measure.Violations;
import org.mongolocks.benchmarks.rival.Grant;
import org.mongolocks.benchmarks.rival.Party;
import org.mongolocks.benchmarks.rival.Rival;

/**
 * Takes a lock, leaves it, and waits for it in another client. In the end the first holder gives back what is no longer its
 * own, and has to be told so.
 *
 * @param rival the lock
 * @param data what it protects
 * @param ttl the length of the lease
 */
record Abandoned(Rival rival, ProtectedData data, Duration ttl) implements Callable<Takeover> {
    static final int PATIENCE_IN_TTLS = 10;

    @Override
    public Takeover call() throws InterruptedException {
        LockRequest request = LockRequest.of("abandoned-" + UUID.randomUUID(), ttl);
        try (Party holder = rival.open();
                Party waiter = rival.open()) {
            Grant left = holder.acquire(request).orElseThrow(() -> new LockException("A free lock was not granted"));
            long endNanos = System.nanoTime();
            data.visit(left.fencingToken());
            Grant next = waiter.acquire(request.waitAtMost(ttl.multipliedBy(PATIENCE_IN_TTLS)))
                    .orElseThrow(() -> new LockException("An abandoned lock was not granted after its lease"));
            return takeover(System.nanoTime() - endNanos, left, next);
        }
    }

    private Takeover takeover(long nanos, Grant left, Grant next) {
        data.visit(next.fencingToken());
        boolean freedAnothers = left.release();
        boolean wasHeld = next.release();
        Violations seen = data.violations();
        long mistakes = (freedAnothers ? 1L : 0L) + (wasHeld ? 0L : 1L);
        return new Takeover(
                nanos, new Violations(seen.notAlone() + mistakes, seen.unorderedTokens(), seen.lostUpdates()));
    }
}
