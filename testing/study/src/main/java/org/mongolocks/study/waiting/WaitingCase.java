package org.mongolocks.study.waiting;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.mongolocks.LockRequest;
import org.mongolocks.study.check.Promptness.HandoverLimits;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.Workload;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.net.Network.Message;
import org.mongolocks.study.sim.net.Network.MessageFate;
import org.mongolocks.study.sim.net.Network.Purpose;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;
import org.mongolocks.study.technique.Technique;

/**
 * One run to measure: clients that wait for locks, without faults but for the death of some.
 *
 * @param load the actions of the clients
 * @param order which requests are fair
 * @param clients how many clients there are, without one that only holds
 * @param locks how many locks there are
 */
public record WaitingCase(Load load, Order order, Technique technique, int clients, int locks) {
    /** With more clients, a shorter time is measured: it begins when each client has been granted the lock. */
    private static final int FEW_CLIENTS = 256;

    private static final Duration MIN_DURATION = Duration.ofSeconds(8);
    private static final Duration MAX_DURATION_OF_MANY = Duration.ofSeconds(5);
    /** One contended lock is granted about as often, so in two such times each client gets it. */
    private static final Duration GRANT = Duration.ofMillis(30);
    /** At least twice the time that a dead client costs. */
    private static final Duration DEATH = Duration.ofSeconds(1);

    /** Which requests are fair. */
    public enum Order {
        /** None. */
        DEFAULT(""),
        /** All. */
        FAIR(", fair"),
        /** Half of them, chosen at random. */
        MIXED(", half of the requests fair");

        private final String title;

        Order(String title) {
            this.title = title;
        }

        /** Returns a request in this order. */
        LockRequest of(LockRequest request, RandomGenerator random) {
            return this == FAIR || (this == MIXED && random.nextBoolean()) ? request.fair() : request;
        }
    }

    /** The actions of the clients. */
    public enum Load {
        /** Each client has one thread; all contend for one lock. */
        CONTENDED("one lock"),
        /** As {@link #CONTENDED}, but half of the clients die while they wait. */
        HALF_DIE("one lock, half of the clients die"),
        /** Each client has one thread, which acquires a lock chosen at random, again and again. */
        SPREAD("locks chosen at random"),
        /** One more client holds all locks, and for each of them one thread of the clients waits. */
        HELD("each lock held and awaited"),
        /** As {@link #CONTENDED}, but half of the waits end after 10 to 300 milliseconds. */
        GIVE_UP("one lock, half of the waits end early"),
        /** As {@link #GIVE_UP}, with two threads each; other waits are interrupted. */
        INTERRUPTED("one lock, waits end early or are interrupted"),
        /** As {@link #CONTENDED}, but the lock is held for longer than the work takes. */
        HOLD_AT_LEAST("one lock, held for 50 ms at least"),
        /** As {@link #CONTENDED}, but the first client has no change stream. */
        ONE_POLLS("one lock, one client polls"),
        /** As {@link #CONTENDED}, behind routers that deliver events late. */
        LATE_EVENTS("one lock, events a second late"),
        /** Two clients wait for one lock, the others try to acquire it again and again, and hold it for 2 ms. */
        CALLERS("one lock, beside callers that do not wait"),
        /** Each client contends for one lock, and in another thread for one that guards long transactions. */
        GUARDED("one lock, beside one that guards transactions"),
        /** One more client acquires the lock for one lease; all but the last that wait give up before its end. */
        LEASE_ENDS("all but one give up, then a lease ends"),
        /** As {@link #LEASE_ENDS}, but the holder renews its lease and crashes. */
        HOLDER_CRASHES("all but one give up, then the holder crashes"),
        /** One more client holds the lock; all but the last that wait die before it releases. */
        ALL_BUT_LAST_DIE("all but the last that wait die"),
        /** As {@link #ALL_BUT_LAST_DIE}, but the first half of them dies. */
        FIRST_HALF_DIES("the first half that waits dies"),
        /** As {@link #ALL_BUT_LAST_DIE}, but the first four die. */
        FIRST_FOUR_DIE("the first four that wait die"),
        /** One more client holds the lock; the events of the first that waits come 0.6 s late. */
        LATE_HEAD("the events of the first that waits are late");

        private final String title;

        Load(String title) {
            this.title = title;
        }

        /** Returns its name in tables. */
        public String title() {
            return title;
        }

        /** Returns whether there is one lock only. */
        public boolean isOfOneLock() {
            return this != SPREAD && this != HELD;
        }

        /** Returns whether half of the clients die. */
        public boolean isOfDying() {
            return this == HALF_DIE;
        }

        /** Returns whether waiters leave, so that those of a release need not be those that get the lock. */
        boolean isOfLeaving() {
            return this == HALF_DIE || this == CALLERS || this == GIVE_UP || this == INTERRUPTED || isScene();
        }

        /** Returns whether each client waits once, as {@link WaitingScene} describes. */
        boolean isScene() {
            return compareTo(LEASE_ENDS) >= 0;
        }

        /** Returns whether one more client only holds. */
        boolean hasHolder() {
            return this == HELD || isScene();
        }

        private boolean isOfTwoThreads() {
            return this == INTERRUPTED || this == GUARDED;
        }
    }

    /** Returns the name of the load and the order in tables. */
    public String title() {
        return load.title() + order.title;
    }

    /** Returns the time before measuring: by then all clients wait, or have worked. */
    Duration warmUp() {
        if (load.isScene()) {
            return Duration.ZERO;
        }
        if (!load.isOfOneLock()) {
            return Duration.ofSeconds(15);
        }
        Duration grant = load == Load.HOLD_AT_LEAST ? GRANT.multipliedBy(3) : GRANT;
        return atLeast(Duration.ofSeconds(2), grant.multipliedBy(2L * clients));
    }

    /** Returns the time that is measured. */
    Duration measured() {
        if (load.isScene()) {
            return WaitingScene.LENGTH;
        }
        if (!load.isOfOneLock() || load == Load.GUARDED) {
            return Duration.ofSeconds(20);
        }
        if (clients > FEW_CLIENTS) {
            return MAX_DURATION_OF_MANY;
        }
        Duration deaths = load.isOfDying() ? DEATH.multipliedBy(clients / 2) : Duration.ZERO;
        return atLeast(MIN_DURATION, GRANT.multipliedBy(2L * clients)).plus(deaths);
    }

    /** Returns the time after which half of the clients die, if they do. */
    Duration death() {
        return warmUp().plus(DEATH);
    }

    private static Duration atLeast(Duration least, Duration other) {
        return other.compareTo(least) > 0 ? other : least;
    }

    /** Returns the scenario, whose workers are {@link WaitingWorkers} or {@link WaitingScene}. */
    Scenario scenario() {
        int threads = load == Load.HELD ? (locks + clients - 1) / clients : load.isOfTwoThreads() ? 2 : 1;
        Workload workload = new Workload(
                load.hasHolder() ? clients + 1 : clients, threads, think(), work(), warmUp().plus(measured()));
        return new Scenario(
                load.name(),
                "",
                workload,
                environment(),
                client -> ClockFault.NONE,
                this::nemesis,
                load == Load.LEASE_ENDS ? LockUsage.ALONE.withoutKeepAlive() : LockUsage.ALONE,
                HandoverLimits.NONE);
    }

    private Nemesis nemesis(RandomGenerator random) {
        return switch (load) {
            case INTERRUPTED -> new Interrupts(random);
            case LATE_HEAD -> new LateEvents();
            default -> new Nemesis() {};
        };
    }

    private Environment environment() {
        return switch (load) {
            case ONE_POLLS -> Environment.HEALTHY.withChangeStreamsFor(client -> client != WaitingWorkers.POLLER);
            case LATE_EVENTS ->
                Environment.HEALTHY
                        .routers(List.of(Duration.ZERO, Duration.ZERO))
                        .eventGap(DurationRange.millis(500, 2_000));
            default -> Environment.HEALTHY;
        };
    }

    /** Delays what the change stream of the first waiter delivers. */
    private record LateEvents() implements Nemesis {
        private static final Duration LATE = Duration.ofMillis(600);

        @Override
        public MessageFate fate(Message message) {
            boolean isLate =
                    message.client() == WaitingScene.FIRST && message.purpose() == Purpose.WATCH && message.isReply();
            return isLate ? MessageFate.delayed(LATE) : MessageFate.ARRIVES;
        }
    }

    /** Interrupts a quarter of the waits. */
    private record Interrupts(RandomGenerator random) implements Nemesis {
        @Override
        public Optional<Duration> interruptAfter(int client) {
            return random.nextInt(4) > 0
                    ? Optional.empty()
                    : Optional.of(Duration.ofNanos(WaitingWorkers.SHORT_WAIT.draw(random)));
        }
    }

    /** Returns the time before a thread acquires a lock. */
    private DurationRange think() {
        return switch (load) {
            case SPREAD -> DurationRange.millis(1_000, 5_000);
            case HELD -> DurationRange.millis(2_000, 7_000);
            case CALLERS -> DurationRange.millis(1, 2);
            default -> DurationRange.millis(1, 100);
        };
    }

    /** Returns the time for which a thread holds a lock. */
    private DurationRange work() {
        return switch (load) {
            case SPREAD, HELD -> DurationRange.millis(1_000, 3_000);
            case GUARDED -> DurationRange.millis(100, 300);
            case CALLERS -> DurationRange.millis(2, 3);
            default -> DurationRange.millis(5, 20);
        };
    }
}
