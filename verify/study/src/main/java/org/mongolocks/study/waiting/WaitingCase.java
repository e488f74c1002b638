package org.mongolocks.study.waiting;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.mongolocks.study.sim.Environment;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.Workload;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;
import org.mongolocks.study.technique.Technique;

/**
 * One run to measure: clients that wait for locks, without faults but for the death of some.
 *
 * @param load the actions of the clients
 * @param technique the technique
 * @param clients how many clients there are
 * @param locks how many locks there are
 */
public record WaitingCase(Load load, Technique technique, int clients, int locks) {
    /** Up to so many clients, each technique is measured; with more of them, one technique only. */
    public static final int FEW_CLIENTS = 256;
    /** With more clients, the lock would be free for most of a minute until all dead ones are passed over. */
    private static final int MAX_CLIENTS_OF_WHICH_HALF_DIE = 64;

    private static final Duration MIN_DURATION = Duration.ofSeconds(8);
    private static final Duration MAX_DURATION_OF_MANY = Duration.ofSeconds(5);
    /** One contended lock is granted about as often, so in two such times each client gets it. */
    private static final Duration GRANT = Duration.ofMillis(30);
    /** At least twice the time that a dead client costs. */
    private static final Duration DEATH = Duration.ofSeconds(1);

    /** The actions of the clients. */
    public enum Load {
        /** Each client has one thread; all contend for one lock. */
        CONTENDED("one lock"),
        /** As {@link #CONTENDED}, with fair requests. */
        FAIR("one lock, fair"),
        /** As {@link #CONTENDED}, but half of the clients die while they wait. */
        HALF_DIE("one lock, half of the clients die"),
        /** As {@link #FAIR}, but half of the clients die while they wait. */
        HALF_DIE_FAIR("one lock, fair, half of the clients die"),
        /** Each client has one thread, which acquires a lock chosen at random, again and again. */
        SPREAD("locks chosen at random"),
        /** One more client holds all locks, and for each of them one thread of the clients waits. */
        HELD("each lock held and awaited");

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

        /** Returns whether the requests are fair. */
        public boolean isFair() {
            return this == FAIR || this == HALF_DIE_FAIR;
        }

        /** Returns whether half of the clients die. */
        public boolean isOfDying() {
            return this == HALF_DIE || this == HALF_DIE_FAIR;
        }
    }

    /**
     * Returns the runs of a program.
     *
     * @param techniques the techniques; {@link Load#CONTENDED} is measured with each of them
     * @param detailed the technique that is measured with all loads, and with many clients
     * @param clients the numbers of clients
     * @param locks the numbers of locks
     * @return the runs, ordered by load
     */
    public static List<WaitingCase> all(
            List<Technique> techniques, Technique detailed, List<Integer> clients, List<Integer> locks) {
        List<WaitingCase> cases = new ArrayList<>();
        for (Load load : Load.values()) {
            for (int number : locks) {
                for (Technique technique : load == Load.CONTENDED ? techniques : List.of(detailed)) {
                    clients.stream()
                            .map(many -> new WaitingCase(load, technique, many, number))
                            .filter(one -> one.isMeasured(detailed))
                            .forEach(cases::add);
                }
            }
        }
        return List.copyOf(cases);
    }

    /** Fair requests cost more if they wait for long: their tickets are renewed. */
    private boolean isMeasured(Technique detailed) {
        if (load.isOfDying()) {
            return locks == 1 && clients > 1 && clients <= MAX_CLIENTS_OF_WHICH_HALF_DIE;
        }
        boolean isForMany = technique.name().equals(detailed.name()) && !load.isFair();
        return load.isOfOneLock() == (locks == 1) && (clients <= FEW_CLIENTS || isForMany);
    }

    /**
     * Returns the time before measuring: by then all clients wait, or have worked. Fair ones have worked: a ticket from
     * before the stream of its client was open is renewed more often.
     */
    Duration warmUp() {
        if (!load.isOfOneLock()) {
            return Duration.ofSeconds(15);
        }
        Duration twoRounds = load.isFair() ? GRANT.multipliedBy(2L * clients) : Duration.ZERO;
        return atLeast(Duration.ofSeconds(2), twoRounds);
    }

    /** Returns the time that is measured. */
    Duration measured() {
        if (!load.isOfOneLock()) {
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

    /** Returns the scenario, whose workers are {@link WaitingWorkers}. */
    Scenario scenario() {
        boolean isHeld = load == Load.HELD;
        Workload workload = new Workload(
                isHeld ? clients + 1 : clients,
                isHeld ? (locks + clients - 1) / clients : 1,
                think(),
                work(),
                warmUp().plus(measured()));
        return new Scenario(
                load.name(), "", workload, Environment.HEALTHY, client -> ClockFault.NONE, random -> new Nemesis() {});
    }

    /** Returns the time before a thread acquires a lock. */
    private DurationRange think() {
        return switch (load) {
            case CONTENDED, FAIR, HALF_DIE, HALF_DIE_FAIR -> DurationRange.millis(1, 100);
            case SPREAD -> DurationRange.millis(1_000, 5_000);
            case HELD -> DurationRange.millis(2_000, 7_000);
        };
    }

    /** Returns the time for which a thread holds a lock. */
    private DurationRange work() {
        return load.isOfOneLock() ? DurationRange.millis(5, 20) : DurationRange.millis(1_000, 3_000);
    }

    /**
     * Returns a quantile of the shortest possible hand-over: the event of the release, and one command. The sum of two
     * latencies, each uniformly distributed.
     *
     * @param quantile from a half to 1
     * @return milliseconds
     */
    public static double floorMillis(double quantile) {
        DurationRange delay = Environment.HEALTHY.delay();
        double width = delay.mostNanos() - (double) delay.leastNanos();
        return (2 * delay.mostNanos() - width * Math.sqrt(2 * (1 - quantile))) / 1e6;
    }
}
