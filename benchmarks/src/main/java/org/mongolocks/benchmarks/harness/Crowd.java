package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.harness.Visitor.Errand;
import org.mongolocks.benchmarks.measure.Contended;
import org.mongolocks.benchmarks.measure.ProtectedData;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.rival.Party;
import org.mongolocks.benchmarks.rival.Rival;

/**
 * Threads of one client that contend for one lock: the only measurement of contention.
 *
 * @param waiters number of threads that wait while one more holds the lock
 * @param section how long the lock is held each time, besides the visit to the protected data
 */
record Crowd(int waiters, Duration section) {
    /** Longer than any wait in a run: no waiter reaches its deadline. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    static Crowd of(int waiters, int sectionMillis) {
        return new Crowd(waiters, Duration.ofMillis(sectionMillis));
    }

    /**
     * Contends for a new lock, and counts while all threads take part.
     *
     * @param rival the contender whose lock is measured
     * @param data the data that the lock protects; the violations it records are part of the result
     * @param time how long to count
     * @throws org.mongolocks.LockException if an operation fails, or a lock was lost
     */
    Contended contend(Rival rival, ProtectedData data, Duration time) throws InterruptedException {
        try (Party party = rival.open()) {
            Errand errand = new Errand(request(), data, section, new CountDownLatch(1));
            List<Visitor> visitors = Stream.generate(() -> new Visitor(party, errand))
                    .limit(waiters + 1L)
                    .toList();
            List<Callable<Optional<Window>>> all = new ArrayList<>(visitors);
            Clerk clerk =
                    new Clerk(party, errand, visitors, () -> rival.commands().orElse(0));
            all.add(() -> clerk.count(time));
            Window window = Together.run(all).get(waiters + 1).orElseThrow();
            return window.contended(data.violations());
        }
    }

    private static LockRequest request() {
        return LockRequest.of("contended-" + UUID.randomUUID(), Workbench.TTL).waitAtMost(PATIENCE);
    }
}
