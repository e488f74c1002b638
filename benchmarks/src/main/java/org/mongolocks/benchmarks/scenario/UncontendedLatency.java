package org.mongolocks.benchmarks.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.driver.RawCommands;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.lock.OtherLibraries;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.run.Benchmark.Scenario;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.sampling.AlternatingRounds;
import org.mongolocks.benchmarks.sampling.MeasuredOperation;
import org.mongolocks.benchmarks.sampling.UncontendedLock;
import org.mongolocks.reporting.server.ConnectionErrors;

/** The benchmark of an uncontended lock: acquire and release. Other libraries take part in the rounds of the strategies. */
record UncontendedLatency(OtherLibraries peers) implements Scenario {
    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        try (LocksUnderTest contenders = LocksUnderTest.ofAllOnOnePool(context, peers);
                OpenLocks locks = new OpenLocks(context)) {
            List<MeasuredOperation> operations = new ArrayList<>();
            contenders.each(contenders.contenders(), contender -> operations.add(locks.acquireAndRelease(contender)));
            new AlternatingRounds(context, operations).run(time);
        }
    }

    /** A lock of each contender, and the baselines with which they are compared. */
    private static final class OpenLocks implements AutoCloseable {
        private final BenchmarkContext context;
        private final Map<Client, Map<Baseline, MeasuredOperation>> baselines = new EnumMap<>(Client.class);
        private final List<End> ends = new ArrayList<>();

        /** What is left to do for a lock at the end. */
        private record End(String contender, Runnable action) {}

        OpenLocks(BenchmarkContext context) {
            this.context = context;
        }

        /** Returns the acquisition and release of a lock. A lock on another server has no baseline on this one. */
        MeasuredOperation acquireAndRelease(LockImplementation contender) throws InterruptedException {
            BenchmarkParticipant locks = contender.open();
            UncontendedLock lock = new UncontendedLock(locks);
            ends.add(new End(contender.id(), locks::close));
            ends.add(new End(contender.id(), () -> context.judge(contender.id(), lock.violations())));
            MeasuredOperation operation =
                    MeasuredOperation.of(context.subject(contender.id(), contender.client()), lock::acquireAndRelease);
            return contender
                    .baseline()
                    .map(baseline -> operation.over(baseline(contender.client(), baseline)))
                    .orElse(operation);
        }

        private MeasuredOperation baseline(Client client, Baseline baseline) {
            context.results().enter(baseline.contender());
            return baselines.computeIfAbsent(client, one -> new HashMap<>()).computeIfAbsent(baseline, one -> {
                RawCommands raw = context.environment()
                        .driver(client)
                        .raw(context.environment().name("baseline"));
                return MeasuredOperation.of(
                        context.subject(baseline.contender().id(), client), () -> baseline.run(raw));
            });
        }

        /** Judges the violations and closes the locks. Third-party code may throw anything; the figures count nevertheless. */
        @Override
        public void close() {
            for (int end = ends.size() - 1; end >= 0; end--) {
                try {
                    ends.get(end).action().run();
                } catch (RuntimeException e) {
                    context.results()
                            .remark(ends.get(end).contender() + " failed when it was closed: "
                                    + ConnectionErrors.firstLine(new LockException(e.toString(), e)));
                }
            }
        }
    }
}
