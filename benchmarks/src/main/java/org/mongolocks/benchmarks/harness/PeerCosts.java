package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.HdrHistogram.Histogram;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.client.Raw;
import org.mongolocks.benchmarks.client.RawFloor;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.Block;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.benchmarks.measure.Violations;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.peer.Peers;
import org.mongolocks.benchmarks.race.Witness;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Contender;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.Subject;
import org.mongolocks.benchmarks.rival.Grant;
import org.mongolocks.benchmarks.rival.Party;
import org.mongolocks.benchmarks.rival.Rival;

/**
 * The benchmark of the locks of other libraries while uncontended, or while another owner holds the lock. The
 * operations and the baseline are those of the strategies; the baseline runs once in each round. No ratio is given for
 * a library that does not run on this MongoDB: the baseline does not apply to it.
 *
 * @param peers the locks of other libraries
 * @param operation the measured operation
 */
public record PeerCosts(Peers peers, Operation operation) implements Benchmark {
    private static final Duration TURN = Duration.ofMillis(200);
    private static final int WARM_UP = 3;

    /** A measured operation. */
    public enum Operation {
        /** An uncontended lock is acquired and released. */
        ACQUIRE_AND_RELEASE("B1", "acquire and release, other libraries", RawFloor.TWO_FIND_AND_MODIFY) {
            @Override
            Histogram measure(Rival rival, Duration time, Session session) throws InterruptedException {
                LockRequest request = request();
                Witness witness = new Witness();
                try (Party locks = rival.open()) {
                    return warmedUp(time, () -> {
                        Grant grant = granted(locks, request);
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
        DENIED("B2", "denied try, other libraries", RawFloor.FIND_AND_MODIFY) {
            @Override
            Histogram measure(Rival rival, Duration time, Session session) throws InterruptedException {
                LockRequest request = request();
                try (Party holder = rival.open();
                        Party other = rival.open()) {
                    Grant grant = granted(holder, request);
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
        private final RawFloor floor;

        Operation(String id, String title, RawFloor floor) {
            this.id = id;
            this.title = title;
            this.floor = floor;
        }

        abstract Histogram measure(Rival rival, Duration time, Session session) throws InterruptedException;

        /** Returns the duration of each operation in nanoseconds, without the first few on new connections. */
        private static Histogram warmedUp(Duration time, Block.Operation repeated) throws InterruptedException {
            for (int warmUp = 0; warmUp < WARM_UP; warmUp++) {
                repeated.run();
            }
            return Block.of(time, repeated).nanos();
        }

        private static LockRequest request() {
            return LockRequest.of("peer-" + UUID.randomUUID(), Workbench.TTL);
        }

        private static Grant granted(Party locks, LockRequest request) throws InterruptedException {
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
    public void run(Session session, Duration time) throws InterruptedException {
        Series floor = new Series();
        Map<Rival, Series> results = new LinkedHashMap<>();
        try (Lineup lineup = new Lineup(session, peers.enter(session))) {
            Raw raw = session.bench()
                    .side(Client.SYNC)
                    .raw(RawFloor.DURABLE, session.bench().name("peer-floor"));
            Rounds rounds = Rounds.within(session, time, lineup.rivals().size() + 1, TURN);
            rounds.each(counts -> {
                keep(floor, Operation.warmedUp(rounds.turn(), () -> operation.floor.run(raw)), counts);
                lineup.each(
                        lineup.rivals(),
                        rival -> keep(
                                results.computeIfAbsent(rival, unknown -> new Series()),
                                operation.measure(rival, rounds.turn(), session),
                                counts));
            });
        }
        results.forEach((rival, series) -> record(session, rival, series, floor));
    }

    /** Adds the baseline to the results and returns its id. */
    private String floor(Session session) {
        Contender contender = operation.floor.contender(RawFloor.DURABLE);
        session.enter(contender);
        return contender.id();
    }

    private static void keep(Series series, Histogram nanos, boolean counts) {
        if (counts) {
            series.add(nanos);
        }
    }

    private void record(Session session, Rival rival, Series series, Series floor) {
        if (series.isEmpty()) {
            return;
        }
        Subject subject = Subject.of(operation.id, rival.id(), Client.SYNC);
        Measurement latency = series.measurement(subject, Metric.LATENCY);
        boolean hasFloor = rival.commands().isPresent();
        session.record(hasFloor ? latency.with(series.ratioTo(floor(session), floor)) : latency);
    }
}
