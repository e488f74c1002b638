package org.mongolocks.benchmarks.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.lock.AcquiredLock;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.run.ProtectedData;
import org.mongolocks.benchmarks.run.ProtectedData.Violations;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.sampling.ConcurrentTasks;
import org.mongolocks.benchmarks.workload.ContendingWorker.Log;
import org.mongolocks.benchmarks.workload.ContendingWorker.WorkerTask;

/**
 * Threads of one client that contend for one lock: the only measurement of contention.
 *
 * @param waiters number of threads that wait while one more holds the lock
 * @param section how long the lock is held each time, besides the visit to the protected data
 */
public record ContentionScenario(int waiters, Duration section) {
    /** Longer than any wait in a run: no waiter reaches its deadline. */
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    public static ContentionScenario of(int waiters, int sectionMillis) {
        return new ContentionScenario(waiters, Duration.ofMillis(sectionMillis));
    }

    /**
     * Contends for a new lock, and counts while all threads take part.
     *
     * @param contender the contender whose lock is measured
     * @param data the data that the lock protects; the violations it records are part of the result
     * @param time how long to count
     * @throws org.mongolocks.LockException if an operation fails, or a lock was lost
     */
    public ContentionResult contend(LockImplementation contender, ProtectedData data, Duration time)
            throws InterruptedException {
        try (BenchmarkParticipant party = contender.open()) {
            WorkerTask task = new WorkerTask(request(), token -> visit(data, token), new CountDownLatch(1));
            List<ContendingWorker> workers = Stream.generate(() -> new ContendingWorker(party, task))
                    .limit(waiters + 1L)
                    .toList();
            List<Callable<Optional<ContentionResult>>> all = new ArrayList<>(workers);
            ContentionController controller = new ContentionController(
                    party, task, workers, () -> contender.commands().orElse(0));
            all.add(() -> controller.count(time));
            return ConcurrentTasks.run(all).get(waiters + 1).orElseThrow().with(data.violations());
        }
    }

    private void visit(ProtectedData data, OptionalLong fencingToken) throws InterruptedException {
        data.visit(fencingToken);
        TimeUnit.NANOSECONDS.sleep(section.toNanos());
    }

    private static LockRequest request() {
        return LockRequest.of("contended-" + UUID.randomUUID(), RunEnvironment.TTL)
                .fixedLease()
                .waitAtMost(TIMEOUT);
    }

    /**
     * The controller of a contention run: holds the lock until all workers wait for it, releases it, counts until the
     * time is over, and stops the workers. The commands of the start-up and of the shutdown are not counted: they are
     * not part of the cost of a grant.
     */
    static final class ContentionController {
        /** All workers are taken to be waiting when no command was sent for this long. */
        private static final Duration QUIET = Duration.ofMillis(50);
        /** The limit for workers that poll and never become quiet. */
        private static final Duration MAX_GATHERING = Duration.ofSeconds(1);
        /** The extra time to wait for a first grant; after that, zero grants are reported. */
        private static final Duration TIMEOUT = Duration.ofSeconds(20);

        private final BenchmarkParticipant locks;
        private final WorkerTask task;
        private final List<ContendingWorker> workers;
        private final LongSupplier commands;

        private record Mark(long nanos, long commands, List<Log> logs) {
            long grants() {
                return logs.stream().mapToLong(Log::grants).sum();
            }

            boolean haveAllAsked() {
                return logs.stream().allMatch(log -> log.requests() > 0);
            }
        }

        ContentionController(
                BenchmarkParticipant locks, WorkerTask task, List<ContendingWorker> workers, LongSupplier commands) {
            this.locks = locks;
            this.task = task;
            this.workers = List.copyOf(workers);
            this.commands = commands;
        }

        /** Counts for the given time, on the calling thread. */
        Optional<ContentionResult> count(Duration time) throws InterruptedException {
            try {
                Mark opened = releaseWhenAllWait();
                return Optional.of(between(opened, closed(opened, time)));
            } finally {
                workers.forEach(ContendingWorker::stop);
            }
        }

        /** Acquires and releases on the same thread, as some locks require. */
        private Mark releaseWhenAllWait() throws InterruptedException {
            AcquiredLock held = locks.acquire(task.request()).orElseThrow();
            task.begun().countDown();
            gather();
            Mark opened = mark();
            task.release(held);
            return opened;
        }

        private void gather() throws InterruptedException {
            Mark now = mark();
            Mark changed = now;
            long deadline = now.nanos() + MAX_GATHERING.toNanos();
            while (!now.haveAllAsked() || (now.nanos() < deadline && now.nanos() - changed.nanos() < QUIET.toNanos())) {
                now = later();
                changed = now.commands() == changed.commands() ? changed : now;
            }
        }

        private Mark closed(Mark opened, Duration time) throws InterruptedException {
            long end = opened.nanos() + time.toNanos();
            Mark now = mark();
            while (now.nanos() < end || (now.grants() == opened.grants() && now.nanos() < end + TIMEOUT.toNanos())) {
                now = later();
            }
            return now;
        }

        private Mark later() throws InterruptedException {
            TimeUnit.MILLISECONDS.sleep(1);
            return mark();
        }

        private Mark mark() {
            long now = System.nanoTime();
            return new Mark(
                    now,
                    commands.getAsLong(),
                    workers.stream().map(worker -> worker.log(now)).toList());
        }

        private static ContentionResult between(Mark opened, Mark closed) {
            List<Long> grants = IntStream.range(0, closed.logs().size())
                    .mapToObj(one -> closed.logs().get(one).grants()
                            - opened.logs().get(one).grants())
                    .toList();
            return new ContentionResult(
                    grants.size(),
                    (closed.nanos() - opened.nanos()) / 1e9,
                    grants.stream().mapToLong(Long::longValue).sum(),
                    ContentionResult.jainIndex(grants),
                    closed.logs().stream()
                            .mapToLong(Log::longestWaitNanos)
                            .max()
                            .orElse(0),
                    closed.commands() - opened.commands(),
                    Violations.NONE);
        }
    }
}
