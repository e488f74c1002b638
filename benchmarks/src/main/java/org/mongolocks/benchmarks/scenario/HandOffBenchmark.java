package org.mongolocks.benchmarks.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.lock.OtherLibraries;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.run.Benchmark.Scenario;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.run.ProtectedData;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.sampling.RoundBudget;
import org.mongolocks.benchmarks.sampling.RoundFigures;
import org.mongolocks.benchmarks.sampling.Rounds;
import org.mongolocks.benchmarks.workload.HandOffBaseline;
import org.mongolocks.benchmarks.workload.NotificationBaseline;
import org.mongolocks.benchmarks.workload.PingPong;
import org.mongolocks.benchmarks.workload.PingPong.HandOffTiming;

/**
 * The benchmark of the hand-off: the time from the release of a lock to the grant to a waiter in another process. The
 * two processes are simulated by two clients that share the connections of one driver and hand the lock back and forth.
 * The first round is a warm-up, at a faster pace.
 */
record HandOffBenchmark(OtherLibraries peers) implements Scenario {
    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        context.results().enter(HandOffBaseline.CONTENDER);
        context.results().enter(NotificationBaseline.CONTENDER);
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
        private final RoundFigures events = new RoundFigures();
        private final RoundFigures handOffs = new RoundFigures();

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
                            () -> events.add(
                                    round,
                                    context.subject(NotificationBaseline.ID, baseline.client()),
                                    baseline.run(rounds.sampleTime())));
                }
                contenders.each(
                        round.inOrder(waiting),
                        contender -> handOffs.add(
                                round,
                                context.subject(contender.id(), contender.client()),
                                handOff(contender, pace(contender, rounds.sampleTime(), round.counts()))));
            });
            record(waiting);
        }

        private static HandOffTiming pace(LockImplementation contender, Duration sampleTime, boolean counts) {
            return counts
                    ? HandOffTiming.measured(contender.waiting(), sampleTime)
                    : HandOffTiming.warmingUp(sampleTime);
        }

        private Histogram handOff(LockImplementation contender, HandOffTiming pace) throws InterruptedException {
            ProtectedData data = context.environment().protectedData(contender.id());
            LockRequest request = LockRequest.of("hand-off-" + UUID.randomUUID(), RunEnvironment.TTL)
                    .fixedLease()
                    .waitAtMost(TIMEOUT);
            try (BenchmarkParticipant first = contender.open();
                    BenchmarkParticipant second = contender.open()) {
                return new PingPong(request, data, pace).run(first, second);
            } finally {
                context.judge(contender.id(), data.violations());
            }
        }

        /** Other servers have no ratio to a baseline on this one. */
        private void record(List<LockImplementation> waiting) {
            boolean hasBaseline = context.isIn(HandOffBaseline.ID);
            Set<String> compared = waiting.stream()
                    .filter(contender -> contender.commands().isPresent())
                    .map(LockImplementation::id)
                    .filter(id -> hasBaseline && !id.equals(HandOffBaseline.ID))
                    .collect(Collectors.toSet());
            events.record(context, Estimate::median);
            handOffs.compare(context, Metric.LATENCY);
            handOffs.record(
                    context,
                    Estimate::median,
                    (subject, metric) ->
                            Optional.of(HandOffBaseline.ID).filter(id -> compared.contains(subject.contender())));
        }
    }
}
