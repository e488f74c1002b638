package org.mongolocks.study.process;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.mongolocks.study.process.fault.Fault;
import org.mongolocks.study.process.fault.WrongClock;
import org.mongolocks.study.process.message.ParentMessage.Driver;
import org.mongolocks.study.technique.Column;

/**
 * The plan of a run. A run of a scenario has one lock, and ends soon after its fault. A soak has many locks and clients,
 * and faults at random; its clients vary, killed ones are replaced, and it ends when its time is over, after a part without
 * faults.
 *
 * @param scenario the scenario; empty for a soak
 * @param techniques the techniques
 * @param clients the number of client processes
 * @param length the duration of a soak; the limit for the fault of a scenario to occur
 * @param part how often a soak is interrupted, to check and cut the histories of its locks
 * @param seed determines the faults and the random numbers of the clients, but not the schedule of the processes
 */
public record RunPlan(
        Optional<ProcessScenario> scenario,
        List<Column> techniques,
        int clients,
        Duration length,
        Duration part,
        long seed) {
    public static final int MAX_CLIENTS = 256;

    /** Two, so that the waiters of one process share a queue. */
    static final int WORKERS = 2;

    private static final int CLIENTS_OF_SCENARIO = 3;
    private static final Duration LENGTH_OF_SCENARIO = Duration.ofSeconds(60);
    /** Bounds the memory of the histories, which are cut after each part. */
    private static final Duration PART = Duration.ofSeconds(60);

    private static final int WORKERS_PER_LOCK = 8;
    private static final int MIN_LOCKS = 2;
    private static final int MAX_ROUTES = 8;
    /** With so many processes for each strategy, a process uses one strategy only. */
    private static final int MANY = 4;

    private static final Duration MIN_CALM = Duration.ofSeconds(6);
    private static final Duration MAX_CALM = Duration.ofSeconds(60);
    private static final int PARTS_OF_CALM = 10;

    public RunPlan {
        techniques = List.copyOf(techniques);
    }

    public static RunPlan soak(List<? extends Column> techniques, int clients, Duration length, long seed) {
        return new RunPlan(Optional.empty(), List.copyOf(techniques), clients, length, PART, seed);
    }

    static RunPlan of(ProcessScenario scenario, Column technique, long seed) {
        return new RunPlan(
                Optional.of(scenario),
                List.of(technique),
                CLIENTS_OF_SCENARIO,
                LENGTH_OF_SCENARIO.plus(technique.ttl()),
                LENGTH_OF_SCENARIO,
                seed);
    }

    boolean isSoak() {
        return scenario.isEmpty();
    }

    /** Returns the faults, in order. */
    Iterator<Fault.Timed> faults() {
        return scenario.map(row -> row.faults().of(seed, techniques.get(0).ttl()))
                .orElseGet(() -> Fault.random(seed, clients, routes()))
                .iterator();
    }

    /** Returns the wrong wall clock of a client, by its number from 0. */
    Optional<WrongClock> clockOf(int client) {
        return scenario.flatMap(ProcessScenario::clock).filter(clock -> client == 0);
    }

    /** Returns the strategies of a client, by its number from 0. */
    List<Column> techniquesOf(int client) {
        return clients >= MANY * techniques.size() ? List.of(techniques.get(client % techniques.size())) : techniques;
    }

    /** Returns the driver of a client; in a soak each strategy is used on both. */
    Driver driverOf(int client) {
        int turn = clients >= MANY * techniques.size() ? client / techniques.size() : client;
        return !isSoak() || turn % 2 == 0 ? Driver.SYNC : Driver.REACTIVE;
    }

    /** Returns the number of locks of each strategy. */
    int locks() {
        int users = workers() / techniques.size();
        return isSoak() ? Math.max(MIN_LOCKS, users / WORKERS_PER_LOCK) : 1;
    }

    /** Returns the number of proxies; a fault of one hits all clients that it connects. */
    int routes() {
        return scenario.map(row -> row.needs().contains(Need.PLAIN_TEXT) ? 1 : 0)
                .orElse(Math.min(clients, MAX_ROUTES));
    }

    /** Returns whether a run of a scenario shows nothing without a fault of connections or the server. */
    boolean needsFault() {
        return routes() > 0
                || scenario.filter(row -> row.needs().contains(Need.MONGODB)).isPresent();
    }

    /** Returns the number of the process that probes locks, in histories; no child has it, and 0 is the server. */
    int probe() {
        return clients + 1;
    }

    /**
     * Returns the number of a child in histories: from 1 for the first clients, larger than the probe's for their
     * replacements.
     *
     * @param startedBefore the number of children that were started before it
     */
    int numberOf(int startedBefore) {
        return startedBefore < clients ? startedBefore + 1 : startedBefore + 2;
    }

    int workers() {
        return clients * WORKERS * techniquesOf(0).size();
    }

    /**
     * Returns the length of the last part of a soak, which is without faults: leases of killed clients end in it, and
     * what grows in it is a leak.
     */
    Duration calm() {
        Duration part = length.dividedBy(PARTS_OF_CALM);
        Duration atLeast = part.compareTo(MIN_CALM) < 0 ? MIN_CALM : part;
        return atLeast.compareTo(MAX_CALM) > 0 ? MAX_CALM : atLeast;
    }
}
