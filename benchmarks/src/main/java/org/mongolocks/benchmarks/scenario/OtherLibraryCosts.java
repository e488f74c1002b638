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
            Histogram measure(LockImplementation rival, Duration time, BenchmarkContext session)
                    throws InterruptedException {
                LockRequest request = request();
                SingleHolderCheck witness = new SingleHolderCheck();
                try (BenchmarkParticipant locks = rival.open()) {
                    return warmedUp(time, () -> {
                        AcquiredLock grant = granted(locks, request);
                        witness.enters(grant.fencingToken());
                        witness.leaves();
                        grant.release();
                    });
                } finally {
                    session.judge(rival.id(), witness.violations());
                }
            }
        },
        /** One attempt at a lock that another owner holds. */
        DENIED("B2", "denied try, other libraries", Baseline.FIND_AND_MODIFY) {
            @Override
            Histogram measure(LockImplementation rival, Duration time, BenchmarkContext session)
                    throws InterruptedException {
                LockRequest request = request();
                try (BenchmarkParticipant holder = rival.open();
                        BenchmarkParticipant other = rival.open()) {
                    AcquiredLock grant = granted(holder, request);
                    Histogram nanos = warmedUp(time, () -> {
                        if (other.acquire(request).isPresent()) {
                            session.judge(rival.id(), new Violations(1, 0, 0));
                        }
                    });
                    grant.release();
                    return nanos;
                }
            }
        };

        private final String id;
        private final String title;
        private final Baseline floor;

        Operation(String id, String title, Baseline floor) {
            this.id = id;
            this.title = title;
            this.floor = floor;
        }

        abstract Histogram measure(LockImplementation rival, Duration time, BenchmarkContext session)
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
    public void run(BenchmarkContext session, Duration time) throws InterruptedException {
        LatencySamples floor = new LatencySamples();
        Map<LockImplementation, LatencySamples> results = new LinkedHashMap<>();
        try (LocksUnderTest lineup = new LocksUnderTest(session, peers.enter(session))) {
            RawCommands raw = session.bench()
                    .side(Client.SYNC)
                    .raw(Baseline.DURABLE, session.bench().name("peer-floor"));
            Rounds rounds = Rounds.within(session, time, lineup.rivals().size() + 1, TURN);
            rounds.each(counts -> {
                keep(floor, Operation.warmedUp(rounds.turn(), () -> operation.floor.run(raw)), counts);
                lineup.each(
                        lineup.rivals(),
                        rival -> keep(
                                results.computeIfAbsent(rival, unknown -> new LatencySamples()),
                                operation.measure(rival, rounds.turn(), session),
                                counts));
            });
        }
        results.forEach((rival, series) -> record(session, rival, series, floor));
    }

    /** Adds the baseline to the results and returns its id. */
    private String floor(BenchmarkContext session) {
        LockUnderTest contender = operation.floor.contender(Baseline.DURABLE);
        session.enter(contender);
        return contender.id();
    }

    private static void keep(LatencySamples series, Histogram nanos, boolean counts) {
        if (counts) {
            series.add(nanos);
        }
    }

    private void record(
            BenchmarkContext session, LockImplementation rival, LatencySamples series, LatencySamples floor) {
        if (series.isEmpty()) {
            return;
        }
        MeasurementKey subject = MeasurementKey.of(operation.id, rival.id(), Client.SYNC);
        Measurement latency = series.measurement(subject, Metric.LATENCY);
        boolean hasFloor = rival.commands().isPresent();
        session.record(hasFloor ? latency.with(series.ratioTo(floor(session), floor)) : latency);
    }
}
