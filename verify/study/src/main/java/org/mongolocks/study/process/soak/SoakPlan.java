package org.mongolocks.study.process.soak;

import java.time.Duration;
import java.util.List;
import org.mongolocks.study.process.message.ChildConfig.Driver;
import org.mongolocks.study.technique.Technique;

/**
 * The plan of a run.
 *
 * @param techniques the strategies
 * @param clients the number of client processes
 * @param length the duration
 * @param cutAfter the age at which the history of a lock is checked and cut
 * @param seed determines the faults and the random numbers of the clients, but not the schedule of the processes
 */
public record SoakPlan(List<Technique> techniques, int clients, Duration length, Duration cutAfter, long seed) {
    public static final int MAX_CLIENTS = 256;

    /** Two, so that the waiters of one process share a queue. */
    static final int WORKERS = 2;

    private static final int WORKERS_PER_LOCK = 8;
    private static final int MIN_LOCKS = 2;
    private static final int MAX_ROUTES = 8;
    /** With so many processes for each strategy, a process uses one strategy only. */
    private static final int MANY = 4;

    private static final Duration MIN_CALM = Duration.ofSeconds(6);
    private static final Duration MAX_CALM = Duration.ofSeconds(60);
    private static final int PARTS_OF_CALM = 10;

    public SoakPlan {
        techniques = List.copyOf(techniques);
    }

    /** Creates a plan with parts of 20 seconds, which the checker can hold and check in little time. */
    public SoakPlan(List<Technique> techniques, int clients, Duration length, long seed) {
        this(techniques, clients, length, Duration.ofSeconds(20), seed);
    }

    /** Returns the strategies of a client, by its number from 0. */
    List<Technique> techniquesOf(int client) {
        return clients >= MANY * techniques.size() ? List.of(techniques.get(client % techniques.size())) : techniques;
    }

    /** Returns the driver of a client; each strategy is used on both. */
    Driver driverOf(int client) {
        int turn = clients >= MANY * techniques.size() ? client / techniques.size() : client;
        return turn % 2 == 0 ? Driver.SYNC : Driver.REACTIVE;
    }

    /** Returns the number of locks of each strategy. */
    int locks() {
        int users = clients * WORKERS * techniquesOf(0).size() / techniques.size();
        return Math.max(MIN_LOCKS, users / WORKERS_PER_LOCK);
    }

    /** Returns the number of proxies; a fault of one hits all clients that it connects. */
    int routes() {
        return Math.min(clients, MAX_ROUTES);
    }

    int workers() {
        return clients * WORKERS * techniquesOf(0).size();
    }

    /**
     * Returns the length of the last part of the run, which is without faults: leases of killed clients end in it, and
     * what grows in it is a leak.
     */
    Duration calm() {
        Duration part = length.dividedBy(PARTS_OF_CALM);
        Duration atLeast = part.compareTo(MIN_CALM) < 0 ? MIN_CALM : part;
        return atLeast.compareTo(MAX_CALM) > 0 ? MAX_CALM : atLeast;
    }
}
