package org.mongolocks.study.scenario;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.config.Workload;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.net.Network.Message;
import org.mongolocks.study.sim.net.Network.MessageFate;
import org.mongolocks.study.sim.net.Network.Purpose;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;

/** The scenarios with lost, late or repeated messages. */
final class NetworkScenarios {
    private static final double OFTEN = 0.1;
    /** Many short attempts. */
    private static final Workload TRIES =
            new Workload(5, 1, DurationRange.millis(50, 600), DurationRange.millis(100, 800), Duration.ofSeconds(25));

    private NetworkScenarios() {}

    static Stream<Scenario> all() {
        return Stream.of(
                withoutRetries(
                        "acquire-lost",
                        "connections break while an acquisition is in flight",
                        random -> new LostMessages(random, Purpose.ACQUIRE, OFTEN)),
                withoutRetries(
                        "duplicates", "requests arrive twice, the second time late", NetworkScenarios::duplicates),
                withoutRetries(
                        "release-lost",
                        "connections break while a release is in flight",
                        random -> new LostMessages(random, Purpose.RELEASE, OFTEN)),
                lateRetry());
    }

    /** A retry of the driver hides most mistakes of a client. */
    private static Scenario withoutRetries(String name, String about, Function<RandomGenerator, Nemesis> nemesis) {
        return Scenarios.struck(name, about + "; the drivers do not retry writes", nemesis)
                .with(Environment.HEALTHY.withoutRetries());
    }

    private static Nemesis duplicates(RandomGenerator random) {
        return new LateMessages(
                random, NetworkScenarios::isOfTheLock, OFTEN, Duration.ofMillis(5), Duration.ofSeconds(3));
    }

    /**
     * A client that tries once and is contended discards its session: no later number in the session refuses its late
     * request.
     */
    private static Scenario lateRetry() {
        return Scenarios.struck(
                        "late-retry",
                        "an attempt is delayed and retried, and the retry is refused; the first request arrives later",
                        random -> new LateMessages(
                                random,
                                message -> message.purpose() == Purpose.ACQUIRE,
                                OFTEN,
                                Duration.ofMillis(200),
                                Duration.ofSeconds(4)))
                .with(TRIES)
                .with(LockUsage.of(LockUsage.Use.ALONE).timeout(Duration.ZERO));
    }

    private static boolean isOfTheLock(Message message) {
        return message.purpose() != Purpose.WATCH && message.purpose() != Purpose.GUARD;
    }

    /**
     * A fault that breaks connections now and then while a request is in flight; the request arrives later nevertheless.
     *
     * @param random determines when
     * @param which the requests that it may hit
     * @param chance the probability
     * @param least the shortest delay
     * @param most the longest delay
     */
    record LateMessages(RandomGenerator random, Predicate<Message> which, double chance, Duration least, Duration most)
            implements Nemesis {
        @Override
        public MessageFate fate(Message message) {
            boolean hit =
                    !message.isReply() && message.sending() == 1 && which.test(message) && random.nextDouble() < chance;
            return hit
                    ? MessageFate.late(Duration.ofMillis(random.nextLong(least.toMillis(), most.toMillis())))
                    : MessageFate.ARRIVES;
        }
    }

    /**
     * A fault that breaks connections now and then, while a request or a reply is in flight.
     *
     * @param random determines when
     * @param purpose the purpose of the commands that it may hit
     * @param chance the probability
     */
    record LostMessages(RandomGenerator random, Purpose purpose, double chance) implements Nemesis {
        @Override
        public MessageFate fate(Message message) {
            boolean hit = message.purpose() == purpose && random.nextDouble() < chance;
            return hit ? MessageFate.LOST : MessageFate.ARRIVES;
        }
    }

    /** A fault that disconnects one holder from the server for a while; the holder is not notified. */
    static final class PartitionFault implements Nemesis {
        private final OneShotFault strike;
        private int cutOff;

        /**
         * Disconnects clients when a fault strikes.
         *
         * @param strike creates the fault, which calls {@link #cut}
         */
        PartitionFault(Function<PartitionFault, OneShotFault> strike) {
            this.strike = strike.apply(this);
        }

        PartitionFault(int victim, Duration length) {
            this(partition -> OneShotFault.first(
                    FaultPoint.WORKING,
                    client -> client == victim,
                    (world, client) -> partition.cut(world, client, length)));
        }

        void cut(SimulationRun world, int client, Duration length) {
            world.fault(client, "it is cut off from the server for " + length);
            cutOff = client;
            world.later(length, () -> cutOff = 0);
        }

        @Override
        public void at(FaultPoint moment, SimulationRun world, int client) {
            strike.at(moment, world, client);
        }

        @Override
        public MessageFate fate(Message message) {
            return message.client() == cutOff ? MessageFate.SWALLOWED : MessageFate.ARRIVES;
        }
    }
}
