package org.mongolocks.study.scenario;

import static org.mongolocks.study.scenario.Scenarios.LEASES_2_4;
import static org.mongolocks.study.scenario.Scenarios.LONG_WORK;
import static org.mongolocks.study.technique.Techniques.TTL;

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
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;

/** The scenarios with lost, late or repeated messages. */
final class NetworkScenarios {
    /** The client whose clock may be wrong. */
    private static final int VICTIM = 1;

    private static final double OFTEN = 0.1;
    private static final Duration AFTER_THE_LEASE = TTL.multipliedBy(13).dividedBy(10);
    /** Many short attempts. */
    private static final Workload TRIES =
            new Workload(5, 1, DurationRange.millis(50, 600), DurationRange.millis(100, 800), Duration.ofSeconds(25));

    private static final String ACQUIRE = "connections break while an acquisition is in flight";
    private static final String RELEASE = "connections break while a release is in flight";
    private static final String LATE = "connections break while a release is in flight, which arrives after 1.3 leases";

    private NetworkScenarios() {}

    static Stream<Scenario> all() {
        return Stream.of(
                        both("acquire-lost", ACQUIRE, random -> new LostMessages(random, Purpose.ACQUIRE, OFTEN)),
                        both("release-lost", RELEASE, random -> new LostMessages(random, Purpose.RELEASE, OFTEN)),
                        both("release-late", LATE, NetworkScenarios::lateRelease),
                        both("duplicates", "requests arrive twice, the second time late", NetworkScenarios::duplicates),
                        lateRetry(),
                        holder(),
                        slow())
                .flatMap(Function.identity());
    }

    /** Returns two rows: with drivers that retry writes, and with drivers that do not. */
    private static Stream<Scenario> both(String name, String about, Function<RandomGenerator, Nemesis> nemesis) {
        Scenario repeated = Scenarios.struck(name, about, nemesis);
        Scenario once = Scenarios.struck(name + "-no-retry", about + "; the drivers do not retry writes", nemesis);
        return Stream.of(repeated, once.with(Environment.HEALTHY.withoutRetries()));
    }

    private static Nemesis lateRelease(RandomGenerator random) {
        return new LateMessages(
                random,
                message -> message.purpose() == Purpose.RELEASE,
                OFTEN,
                AFTER_THE_LEASE,
                AFTER_THE_LEASE.plusMillis(1));
    }

    private static Nemesis duplicates(RandomGenerator random) {
        return new LateMessages(
                random, NetworkScenarios::isOfTheLock, OFTEN, Duration.ofMillis(5), Duration.ofSeconds(3));
    }

    /**
     * A client that tries once and is contended discards its session: no later number in the session refuses its late
     * request.
     */
    private static Stream<Scenario> lateRetry() {
        return Stream.of(Scenarios.struck(
                        "late-retry",
                        "an attempt is delayed and retried, and the retry is refused; the first request arrives later",
                        random -> new LateMessages(
                                random,
                                message -> message.purpose() == Purpose.ACQUIRE,
                                OFTEN,
                                Duration.ofMillis(200),
                                Duration.ofSeconds(4)))
                .with(TRIES)
                .with(LockUsage.of(LockUsage.Use.ALONE).timeout(Duration.ZERO)));
    }

    private static boolean isOfTheLock(Message message) {
        return message.purpose() != Purpose.WATCH && message.purpose() != Purpose.GUARD;
    }

    private static Stream<Scenario> holder() {
        return Stream.of(
                Scenarios.struck(
                                "holder-cut-off",
                                "a holder is disconnected for 2.4 leases, and continues to work",
                                random -> new PartitionFault(VICTIM, LEASES_2_4))
                        .with(LONG_WORK),
                Scenarios.struck(
                                "holder-cut-off-slow-clock",
                                "a holder whose monotonic clock runs at half rate is disconnected for 2.4 leases, and"
                                        + " continues to work",
                                random -> new PartitionFault(VICTIM, LEASES_2_4))
                        .with(LONG_WORK)
                        .with(new ClockFault(Duration.ZERO, 1, 0.5)));
    }

    /**
     * A request and its reply take almost as long as the command timeout at worst; the second row has twice the
     * timeout.
     */
    private static Stream<Scenario> slow() {
        Environment slow = Environment.HEALTHY.delay(DurationRange.millis(20, 900));
        String about = "a message takes up to 0.9 seconds";
        return Stream.of(
                Scenarios.quiet("slow-network", about, Scenarios.SHORT_WORK).with(slow),
                Scenarios.quiet(
                                "slow-network-patient",
                                about + ", and the command timeout is 4 seconds instead of 2",
                                Scenarios.SHORT_WORK)
                        .with(slow)
                        .with(LockUsage.of(LockUsage.Use.ALONE).commandTimeout(Duration.ofSeconds(4))));
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

        /** Disconnects any client that has just been granted the lock. */
        PartitionFault(RandomGenerator random, Duration length) {
            this(partition -> OneShotFault.anybody(
                    random, FaultPoint.GRANTED, (world, client) -> partition.cut(world, client, length)));
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
