package org.mongolocks.benchmarks.scenario;

import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.mongolocks.benchmarks.result.PairedDifference.Series;
import org.mongolocks.benchmarks.run.Benchmark;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.run.ProtectedData;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.sampling.LatencySamples;
import org.mongolocks.benchmarks.sampling.RoundBudget;
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
        return 18;
    }

    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        context.enter(HandOffBaseline.CONTENDER);
        context.enter(NotificationBaseline.CONTENDER);
        try (LocksUnderTest contenders = LocksUnderTest.ofAll(context, peers).after(baselines(context))) {
            new HandOffRounds(context, contenders).run(time);
        }
    }

    private static List<LockImplementation> baselines(BenchmarkContext context) {
        return Stream.of(Client.values())
                .<LockImplementation>map(client -> new HandOffBaseline(context.environment(), client))
                .toList();
    }

    /** The rounds of the hand-off benchmark, with every lock under test and the baselines in each round. */
    static final class HandOffRounds {
        /** Long enough for about twenty hand-offs. */
        private static final Duration TURN = Duration.ofMillis(250);

        private static final Duration TURN_IF_QUICK = Duration.ofMillis(125);
        private static final Duration TIMEOUT = Duration.ofSeconds(20);

        private final BenchmarkContext context;
        private final LocksUnderTest contenders;
        private final List<NotificationBaseline> notifications;
        private final Map<Client, LatencySamples> events = new EnumMap<>(Client.class);
        private final Map<LockImplementation, LatencySamples> handOffs = new LinkedHashMap<>();

        HandOffRounds(BenchmarkContext context, LocksUnderTest contenders) {
            this.context = context;
            this.contenders = contenders;
            this.notifications = Stream.of(Client.values())
                    .map(client -> new NotificationBaseline(context.environment(), client))
                    .toList();
        }

        void run(Duration time) throws InterruptedException {
            List<LockImplementation> waiting = contenders.supportingWait();
            RoundBudget budget = RoundBudget.of(
                    context,
                    time,
                    context.mode() == RunLength.QUICK ? RoundBudget.FOR_AN_INTERVAL : RoundBudget.FOR_A_BOOTSTRAP);
            Duration turn = context.mode() == RunLength.QUICK ? TURN_IF_QUICK : TURN;
            Rounds rounds = Rounds.within(context, budget, waiting.size() + notifications.size(), turn);
            rounds.each(round -> {
                for (NotificationBaseline baseline : notifications) {
                    context.attempt(
                            NotificationBaseline.ID,
                            () -> series(baseline).add(round, baseline.run(rounds.sampleTime())));
                }
                contenders.each(
                        round.inOrder(waiting),
                        contender -> series(contender)
                                .add(round, handOff(contender, pace(contender, rounds.sampleTime(), round.counts()))));
            });
            record();
        }

        private LatencySamples series(NotificationBaseline baseline) {
            return events.computeIfAbsent(baseline.client(), unknown -> new LatencySamples());
        }

        private LatencySamples series(LockImplementation contender) {
            return handOffs.computeIfAbsent(contender, unknown -> new LatencySamples());
        }

        private static HandOffTiming pace(LockImplementation contender, Duration sampleTime, boolean counts) {
            return counts
                    ? HandOffTiming.measured(contender.waiting(), sampleTime)
                    : HandOffTiming.warmingUp(sampleTime);
        }

        private Histogram handOff(LockImplementation contender, HandOffTiming pace) throws InterruptedException {
            ProtectedData data = context.environment().protectedData(contender.id());
            LockRequest request = LockRequest.of("hand-off-" + UUID.randomUUID(), RunEnvironment.TTL)
                    .waitAtMost(TIMEOUT);
            try (BenchmarkParticipant first = contender.open();
                    BenchmarkParticipant second = contender.open()) {
                return new PingPong(request, data, pace).run(first, second);
            } finally {
                context.judge(contender.id(), data.violations());
            }
        }

        private void record() {
            events.forEach((client, series) -> {
                if (!series.isEmpty()) {
                    context.record(series.measurement(subject(NotificationBaseline.ID, client), Metric.LATENCY));
                }
            });
            boolean hasBaseline = context.isIn(HandOffBaseline.ID);
            handOffs.forEach((contender, series) ->
                    record(contender, series, hasBaseline ? baselineOf(contender.client()) : new LatencySamples()));
        }

        private LatencySamples baselineOf(Client client) {
            return handOffs.entrySet().stream()
                    .filter(handOff -> handOff.getKey().id().equals(HandOffBaseline.ID))
                    .filter(handOff -> handOff.getKey().client() == client)
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElseGet(LatencySamples::new);
        }

        private void record(LockImplementation contender, LatencySamples series, LatencySamples baseline) {
            if (series.isEmpty()) {
                return;
            }
            MeasurementKey subject = subject(contender.id(), contender.client());
            Measurement latency = series.measurement(subject, Metric.LATENCY);
            context.compare(new Series(subject, Metric.LATENCY, series.byRound()));
            boolean isCompared = !baseline.isEmpty()
                    && series != baseline
                    && contender.commands().isPresent();
            context.record(latency.with(isCompared ? series.ratioTo(HandOffBaseline.ID, baseline) : Optional.empty()));
        }

        private static MeasurementKey subject(String contender, Client client) {
            return MeasurementKey.of(HandOffBenchmark.ID, contender, client);
        }
    }
}
