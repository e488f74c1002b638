package org.mongolocks.benchmarks.scenario;

import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.lock.OtherLibraries;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.run.Benchmark;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.ProtectedData;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.sampling.LatencySamples;
import org.mongolocks.benchmarks.sampling.Rounds;
import org.mongolocks.benchmarks.workload.HandOffBaseline;
import org.mongolocks.benchmarks.workload.NotificationBaseline;
import org.mongolocks.benchmarks.workload.PingPong;
import org.mongolocks.benchmarks.workload.PingPong.HandOffTiming;

/**
 * The benchmark of the hand-off: the time from the release of a lock to the grant to a waiter in another process. The
 * two processes are simulated by two clients that share the connections of one driver and hand the lock back and forth.
 * The first round is a warm-up, at a faster pace.
 *
 * @param peers the locks of other libraries
 */
public record HandOffBenchmark(OtherLibraries peers) implements Benchmark {
    static final String ID = "B5";

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "hand-off to a waiter";
    }

    @Override
    public int weight() {
        return 12;
    }

    @Override
    public void run(BenchmarkContext session, Duration time) throws InterruptedException {
        session.enter(HandOffBaseline.CONTENDER);
        session.enter(NotificationBaseline.CONTENDER);
        try (LocksUnderTest lineup = LocksUnderTest.ofAll(session, peers).after(floors(session))) {
            new HandOffRounds(session, lineup).run(time);
        }
    }

    private static List<LockImplementation> floors(BenchmarkContext session) {
        return Stream.of(Client.values())
                .<LockImplementation>map(client -> new HandOffBaseline(session.bench(), client))
                .toList();
    }

    /** The rounds of the hand-off benchmark, with every lock under test and the baselines in each round. */
    static final class HandOffRounds {
        /** Long enough for about twenty hand-offs. */
        private static final Duration TURN = Duration.ofMillis(250);

        private static final Duration PATIENCE = Duration.ofSeconds(20);

        private final BenchmarkContext session;
        private final LocksUnderTest lineup;
        private final List<NotificationBaseline> notifications;
        private final Map<Client, LatencySamples> events = new EnumMap<>(Client.class);
        private final Map<LockImplementation, LatencySamples> relays = new LinkedHashMap<>();

        HandOffRounds(BenchmarkContext session, LocksUnderTest lineup) {
            this.session = session;
            this.lineup = lineup;
            this.notifications = Stream.of(Client.values())
                    .map(client -> new NotificationBaseline(session.bench(), client))
                    .toList();
        }

        void run(Duration time) throws InterruptedException {
            List<LockImplementation> rivals = lineup.thatWait();
            Rounds rounds = Rounds.within(session, time, rivals.size() + notifications.size(), TURN);
            rounds.each(counts -> {
                for (NotificationBaseline floor : notifications) {
                    session.attempt(NotificationBaseline.ID, () -> keep(series(floor), floor.run(rounds.turn()), counts));
                }
                lineup.each(rivals, rival -> keep(series(rival), relay(rival, pace(rival, rounds.turn(), counts)), counts));
            });
            record();
        }

        private LatencySamples series(NotificationBaseline floor) {
            return events.computeIfAbsent(floor.client(), unknown -> new LatencySamples());
        }

        private LatencySamples series(LockImplementation rival) {
            return relays.computeIfAbsent(rival, unknown -> new LatencySamples());
        }

        private static void keep(LatencySamples series, Histogram nanos, boolean counts) {
            if (counts) {
                series.add(nanos);
            }
        }

        private static HandOffTiming pace(LockImplementation rival, Duration turn, boolean counts) {
            return counts ? HandOffTiming.measured(rival.waiting(), turn) : HandOffTiming.warmingUp(turn);
        }

        private Histogram relay(LockImplementation rival, HandOffTiming pace) throws InterruptedException {
            ProtectedData data = session.bench().protectedData(rival.id());
            LockRequest request = LockRequest.of("hand-off-" + UUID.randomUUID(), RunEnvironment.TTL)
                    .waitAtMost(PATIENCE);
            try (BenchmarkParticipant first = rival.open();
                    BenchmarkParticipant second = rival.open()) {
                return new PingPong(request, data, pace).run(first, second);
            } finally {
                session.judge(rival.id(), data.violations());
            }
        }

        private void record() {
            events.forEach((client, series) -> {
                if (!series.isEmpty()) {
                    session.record(series.measurement(subject(NotificationBaseline.ID, client), Metric.LATENCY));
                }
            });
            boolean hasFloor = session.isIn(HandOffBaseline.ID);
            relays.forEach(
                    (rival, series) -> record(rival, series, hasFloor ? floorOf(rival.client()) : new LatencySamples()));
        }

        private LatencySamples floorOf(Client client) {
            return relays.entrySet().stream()
                    .filter(relay -> relay.getKey().id().equals(HandOffBaseline.ID))
                    .filter(relay -> relay.getKey().client() == client)
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElseGet(LatencySamples::new);
        }

        private void record(LockImplementation rival, LatencySamples series, LatencySamples floor) {
            if (series.isEmpty()) {
                return;
            }
            Measurement latency = series.measurement(subject(rival.id(), rival.client()), Metric.LATENCY);
            boolean isCompared =
                    !floor.isEmpty() && series != floor && rival.commands().isPresent();
            session.record(isCompared ? latency.with(series.ratioTo(HandOffBaseline.ID, floor)) : latency);
        }

        private static MeasurementKey subject(String contender, Client client) {
            return MeasurementKey.of(HandOffBenchmark.ID, contender, client);
        }
    }
}
