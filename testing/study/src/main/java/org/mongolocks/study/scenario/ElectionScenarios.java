package org.mongolocks.study.scenario;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.client.SimulatedOperator;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.config.Workload;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.net.Network.Message;
import org.mongolocks.study.sim.net.Network.MessageFate;
import org.mongolocks.study.sim.net.Network.Purpose;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;
import org.mongolocks.study.technique.Techniques;

/**
 * The scenarios in which a primary loses contact with all other members for seconds, serves its unreplicated writes,
 * and loses them at an election.
 */
final class ElectionScenarios {
    private static final Environment REPLICATED = Environment.HEALTHY.replicationLag(Duration.ofMillis(20));
    /**
     * Short, so that a lease has not ended when it is renewed after the election, and so that an operator sees the
     * first grant.
     */
    private static final int SHORT_SILENCE_MILLIS = 4_000;

    private static final LockUsage KEPT_ALIVE = LockUsage.of(LockUsage.Use.ALONE);
    /** Critical sections that fit into a lease. */
    private static final Workload SHORT = new Workload(
            5, 1, DurationRange.millis(50, 500), DurationRange.millis(1_000, 4_200), Duration.ofSeconds(40));
    /** Critical sections that take longer than a lease, so that it is renewed. */
    private static final Workload RENEWED = new Workload(
            10, 1, DurationRange.millis(50, 8_000), DurationRange.millis(12_000, 16_000), Duration.ofSeconds(50));

    private ElectionScenarios() {}

    static Stream<Scenario> all() {
        return Stream.of(
                election(
                        "election-renewal",
                        "a primary that reaches no other member renews the lease, waiters read that, an election loses"
                                + " it, and the renewal is repeated; then the holder is disconnected",
                        RENEWED,
                        KEPT_ALIVE.timeout(Techniques.TTL.plusSeconds(2)),
                        LostRenewal::new),
                election(
                        "election-force-release",
                        "an operator reads a holder whose grant is lost at an election, and force-releases the lock"
                                + " when another client holds it",
                        SHORT,
                        KEPT_ALIVE,
                        ForcedAfterwards::new));
    }

    private static Scenario election(
            String name,
            String about,
            Workload workload,
            LockUsage usage,
            java.util.function.Function<RandomGenerator, Nemesis> nemesis) {
        return Scenarios.struck(name, about, nemesis)
                .with(workload)
                .with(REPLICATED)
                .with(usage);
    }

    /**
     * Ends a primary some seconds after it has lost contact with the others, which happens at the nth matching message.
     */
    private static final class Election {
        /** The clocks of members differ by less than the skew margin of a client. */
        private static final int MAX_AHEAD_MILLIS = 8;

        private final RandomGenerator random;
        private final Predicate<Message> trigger;
        private final int longestSilenceMillis;
        private Optional<SimulationRun> world = Optional.empty();
        private int spared;
        private boolean over;

        Election(RandomGenerator random, int longestSilenceMillis, Predicate<Message> trigger) {
            this.longestSilenceMillis = longestSilenceMillis;
            this.random = random;
            this.trigger = trigger;
            this.spared = random.nextInt(1, 4);
        }

        void begin(SimulationRun whole) {
            world = Optional.of(whole);
        }

        /** Stops replication from the message on. */
        void watch(Message message, BiConsumer<SimulationRun, Duration> silence) {
            if (trigger.test(message) && spared-- == 0) {
                Duration length = millis(2_000, longestSilenceMillis);
                world.ifPresent(whole -> {
                    whole.haltReplication();
                    silence.accept(whole, length);
                    whole.later(length, () -> elect(whole));
                });
            }
        }

        private void elect(SimulationRun whole) {
            over = true;
            Duration without = random.nextInt(3) == 0 ? longElection() : millis(100, 1_900);
            whole.failOver(without, Duration.ofMillis(random.nextInt(-MAX_AHEAD_MILLIS, MAX_AHEAD_MILLIS + 1)));
        }

        /** Returns an election that takes a lease or longer. */
        private Duration longElection() {
            return Techniques.TTL.plus(millis(-1_000, 4_000));
        }

        private Duration millis(int least, int most) {
            return Duration.ofMillis(random.nextInt(least, most));
        }

        boolean isOver() {
            return over;
        }
    }

    /**
     * Stops replication from a renewal on; a client that renews successfully after the election is disconnected from
     * then on.
     */
    private static final class LostRenewal implements Nemesis {
        private final Election election;
        private int holder;
        private boolean cutOff;
        private Optional<SimulationRun> world = Optional.empty();

        LostRenewal(RandomGenerator random) {
            this.election = new Election(
                    random,
                    SHORT_SILENCE_MILLIS,
                    message -> message.purpose() == Purpose.RENEW && !message.isReply() && asks(message));
        }

        private boolean asks(Message message) {
            holder = election.isOver() ? holder : message.client();
            return true;
        }

        @Override
        public void begin(SimulationRun whole) {
            world = Optional.of(whole);
            election.begin(whole);
        }

        @Override
        public MessageFate fate(Message message) {
            boolean swallowed = cutOff && message.client() == holder;
            boolean renewedAgain = election.isOver()
                    && !cutOff
                    && message.client() == holder
                    && message.purpose() == Purpose.RENEW
                    && message.isReply();
            if (renewedAgain) {
                cutOff = true;
                world.ifPresent(whole -> whole.fault(holder, "it is cut off from the server after its renewal"));
            }
            if (!election.isOver()) {
                election.watch(message, (whole, length) -> {});
            }
            return swallowed ? MessageFate.SWALLOWED : MessageFate.ARRIVES;
        }
    }

    /**
     * The operator reads the lock before the election, its holder crashes, and the operator force-releases the next
     * grant.
     */
    private static final class ForcedAfterwards implements Nemesis {
        private static final Duration SOON = Duration.ofMillis(200);

        private final Election election;
        private Optional<SimulatedOperator> operator = Optional.empty();
        private boolean forced;

        ForcedAfterwards(RandomGenerator random) {
            this.election = new Election(random, SHORT_SILENCE_MILLIS, ElectionScenarios::isReleased);
        }

        @Override
        public void begin(SimulationRun world) {
            election.begin(world);
        }

        @Override
        public MessageFate fate(Message message) {
            election.watch(
                    message,
                    (world, length) -> world.later(length.dividedBy(2), () -> {
                        SimulatedOperator looking = world.operator();
                        operator = Optional.of(looking);
                        looking.look(world::crash);
                    }));
            return MessageFate.ARRIVES;
        }

        @Override
        public void at(FaultPoint moment, SimulationRun world, int client) {
            boolean isNext = election.isOver() && moment == FaultPoint.GRANTED && !forced;
            if (isNext && operator.filter(SimulatedOperator::hasSeen).isPresent()) {
                forced = true;
                operator.ifPresent(looking -> world.later(SOON, looking::forceRelease));
            }
        }
    }

    private static boolean isReleased(Message message) {
        return message.purpose() == Purpose.RELEASE && message.isReply();
    }
}
