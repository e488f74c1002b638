package org.mongolocks.benchmarks.scenario;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.HdrHistogram.Histogram;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.driver.RawCommands;
import org.mongolocks.benchmarks.lock.AcquiredLock;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.lock.OtherLibraries;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.run.Benchmark;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.ProtectedData.Violations;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.run.SingleHolderCheck;
import org.mongolocks.benchmarks.sampling.LatencySamples;
import org.mongolocks.benchmarks.sampling.Rounds;
import org.mongolocks.benchmarks.sampling.Samples;

/**
 * The benchmark of the locks of other libraries while uncontended, or while another owner holds the lock. The
 * operations and the baseline are those of the strategies; the baseline runs once in each round. No ratio is given for
 * a library that does not run on this MongoDB: the baseline does not apply to it.
 *
 * @param peers the locks of other libraries
 * @param operation the measured operation
 */
public record OtherLibraryCosts(OtherLibraries peers, Operation operation) implements Benchmark {
    private static final Duration TURN = Duration.ofMillis(200);
    private static final int WARM_UP = 3;

    /** A measured operation. */
    public enum Operation {
        /** An uncontended lock is acquired and released. */
        ACQUIRE_AND_RELEASE("B1", "acquire and release, other libraries", Baseline.TWO_FIND_AND_MODIFY) {
            @Override
            Histogram measure(LockImplementation contender, Duration time, BenchmarkContext context)
                    throws InterruptedException {
                LockRequest request = request();
                SingleHolderCheck check = new SingleHolderCheck();
                try (BenchmarkParticipant locks = contender.open()) {
                    return warmedUp(time, () -> {
                        AcquiredLock grant = granted(locks, request);
                        check.enters(grant.fencingToken());
                        check.leaves();
                        grant.release();
                    });
                } finally {
                    context.judge(contender.id(), check.violations());
                }
            }
        },
        /** One attempt at a lock that another owner holds. */
        DENIED("B2", "denied try, other libraries", Baseline.FIND_AND_MODIFY) {
            @Override
            Histogram measure(LockImplementation contender, Duration time, BenchmarkContext context)
                    throws InterruptedException {
                LockRequest request = request();
                try (BenchmarkParticipant holder = contender.open();
                        BenchmarkParticipant other = contender.open()) {
                    AcquiredLock grant = granted(holder, request);
                    Histogram nanos = warmedUp(time, () -> {
                        if (other.acquire(request).isPresent()) {
                            context.judge(contender.id(), new Violations(1, 0, 0));
                        }
                    });
                    grant.release();
                    return nanos;
                }
            }
        };

        private final String id;
        private final String title;
        private final Baseline baseline;

        Operation(String id, String title, Baseline baseline) {
            this.id = id;
            this.title = title;
            this.baseline = baseline;
        }

        abstract Histogram measure(LockImplementation contender, Duration time, BenchmarkContext context)
                throws InterruptedException;

        /** Returns the duration of each operation in nanoseconds, without the first few on new connections. */
        private static Histogram warmedUp(Duration time, Samples.Operation repeated) throws InterruptedException {
            for (int warmUp = 0; warmUp < WARM_UP; warmUp++) {
                repeated.run();
            }
            return Samples.of(time, repeated).nanos();
        }

        private static LockRequest request() {
            return LockRequest.of("peer-" + UUID.randomUUID(), RunEnvironment.TTL);
        }

        private static AcquiredLock granted(BenchmarkParticipant locks, LockRequest request)
                throws InterruptedException {
            return locks.acquire(request).orElseThrow(() -> new LockException("A free lock was not granted"));
        }
    }

    @Override
    public String id() {
        return operation.id;
    }

    @Override
    public String title() {
        return operation.title;
    }

    @Override
    public int weight() {
        return 3;
    }

    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        LatencySamples baseline = new LatencySamples();
        Map<LockImplementation, LatencySamples> results = new LinkedHashMap<>();
        try (LocksUnderTest contenders = new LocksUnderTest(context, peers.enter(context))) {
            RawCommands raw = context.environment()
                    .driver(Client.SYNC)
                    .raw(Baseline.DURABLE, context.environment().name("peer-baseline"));
            Rounds rounds = Rounds.within(context, time, contenders.contenders().size() + 1, TURN);
            rounds.each(round -> {
                baseline.add(round, Operation.warmedUp(rounds.sampleTime(), () -> operation.baseline.run(raw)));
                contenders.each(
                        round.inOrder(contenders.contenders()),
                        contender -> results.computeIfAbsent(contender, unknown -> new LatencySamples())
                                .add(round, operation.measure(contender, rounds.sampleTime(), context)));
            });
        }
        results.forEach((contender, series) -> record(context, contender, series, baseline));
    }

    /** Adds the baseline to the results and returns its id. */
    private String baseline(BenchmarkContext context) {
        LockUnderTest contender = operation.baseline.contender(Baseline.DURABLE);
        context.enter(contender);
        return contender.id();
    }

    private void record(
            BenchmarkContext context, LockImplementation contender, LatencySamples series, LatencySamples baseline) {
        if (series.isEmpty()) {
            return;
        }
        MeasurementKey subject = MeasurementKey.of(operation.id, contender.id(), Client.SYNC);
        Measurement latency = series.measurement(subject, Metric.LATENCY);
        boolean hasBaseline = contender.commands().isPresent();
        context.record(hasBaseline ? latency.with(series.ratioTo(baseline(context), baseline)) : latency);
    }
}
