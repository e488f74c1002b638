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
import org.mongolocks.benchmarks.harness.ContendingWorker.WorkerTask;
import org.mongolocks.benchmarks.measure.ContentionResult;
import org.mongolocks.benchmarks.measure.ProtectedData;
import org.mongolocks.benchmarks.measure.RunEnvironment;
import org.mongolocks.benchmarks.rival.BenchmarkParticipant;
import org.mongolocks.benchmarks.rival.LockImplementation;

/**
 * Threads of one client that contend for one lock: the only measurement of contention.
 *
 * @param waiters number of threads that wait while one more holds the lock
 * @param section how long the lock is held each time, besides the visit to the protected data
 */
record ContentionScenario(int waiters, Duration section) {
    /** Longer than any wait in a run: no waiter reaches its deadline. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    static ContentionScenario of(int waiters, int sectionMillis) {
        return new ContentionScenario(waiters, Duration.ofMillis(sectionMillis));
    }

    /**
     * Contends for a new lock, and counts while all threads take part.
     *
     * @param rival the contender whose lock is measured
     * @param data the data that the lock protects; the violations it records are part of the result
     * @param time how long to count
     * @throws org.mongolocks.LockException if an operation fails, or a lock was lost
     */
    ContentionResult contend(LockImplementation rival, ProtectedData data, Duration time) throws InterruptedException {
        try (BenchmarkParticipant party = rival.open()) {
            WorkerTask errand = new WorkerTask(request(), data, section, new CountDownLatch(1));
            List<ContendingWorker> visitors = Stream.generate(() -> new ContendingWorker(party, errand))
                    .limit(waiters + 1L)
                    .toList();
            List<Callable<Optional<ContentionResult>>> all = new ArrayList<>(visitors);
            ContentionController clerk = new ContentionController(
                    party, errand, visitors, () -> rival.commands().orElse(0));
            all.add(() -> clerk.count(time));
            return ConcurrentTasks.run(all).get(waiters + 1).orElseThrow().with(data.violations());
        }
    }

    private static LockRequest request() {
        return LockRequest.of("contended-" + UUID.randomUUID(), RunEnvironment.TTL)
                .waitAtMost(PATIENCE);
    }
}
