package org.mongolocks.study.sim;

import static org.mongolocks.study.history.Event.Op.CRASH;
import static org.mongolocks.study.history.Event.Op.PAUSE;
import static org.mongolocks.study.history.Event.Phase.INVOKE;
import static org.mongolocks.study.history.Event.Phase.OK;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.mongolocks.LockQuery;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.client.SimulatedClient;
import org.mongolocks.study.sim.client.SimulatedClient.Identity;
import org.mongolocks.study.sim.client.SimulatedOperator;
import org.mongolocks.study.sim.driver.SimulatedWorld;
import org.mongolocks.study.sim.net.Network.Purpose;
import org.mongolocks.study.sim.server.Administrator;
import org.mongolocks.study.sim.server.Preparation;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.sim.time.SeededRandom;
import org.mongolocks.study.sim.workload.LeaderWorker;
import org.mongolocks.study.sim.workload.MultiLockWorker;
import org.mongolocks.study.sim.workload.ReentrantWorker;
import org.mongolocks.study.sim.workload.SimulatedWorker;
import org.mongolocks.study.sim.workload.Worker;
import org.mongolocks.study.technique.Technique;

/** One run: a world with clients, and the faults that hit them. */
public final class SimulationRun {
    private final SeededRandom chance;
    private final Scenario scenario;
    private final Technique technique;
    private final Nemesis nemesis;
    private final SimulatedWorld world;
    private final List<SimulatedClient> clients = new ArrayList<>();
    private BiConsumer<SimulatedClient, RandomGenerator> workers = this::begin;

    SimulationRun(Scenario scenario, Technique technique, SeededRandom chance) {
        this.scenario = scenario;
        this.technique = technique;
        this.chance = chance;
        this.nemesis = scenario.nemesis().apply(chance.source("faults"));
        this.world = new SimulatedWorld(
                scenario.environment(),
                scenario.workload(),
                scenario.usage(),
                chance,
                nemesis,
                (point, client) -> nemesis.at(point, this, client));
    }

    /** Returns what the clients share. */
    public SimulatedWorld world() {
        return world;
    }

    /** Starts other workers than those of the scenario: called for each worker with its client, when that is built. */
    void startWorkersBy(BiConsumer<SimulatedClient, RandomGenerator> others) {
        workers = others;
    }

    /** Returns whether the workload has ended. From then on there are no faults. */
    public boolean isOver() {
        return world.isOver();
    }

    /**
     * Records a fault.
     *
     * @param client its client; 0 for none
     */
    public void fault(int client, String what) {
        world.fault(client, what);
    }

    /**
     * Schedules a task, which runs at the end of the workload at the latest.
     *
     * @param wait the delay
     */
    public void later(Duration wait, Runnable task) {
        world.time().after(Math.min(wait.toNanos(), Math.max(0, world.leftNanos())), task);
    }

    /** Crashes a process. */
    public void crash(int client) {
        world.recorder().line(client, CRASH, OK).add();
        client(client).process().crash();
    }

    /** Pauses a process. */
    public void pause(int client, Duration length) {
        world.recorder().line(client, PAUSE, INVOKE).note(length.toString()).add();
        client(client).process().pause(length);
        world.time()
                .after(
                        length.toNanos(),
                        () -> world.recorder().line(client, PAUSE, OK).add());
    }

    /**
     * Suspends the machine of a client: its process stands still, and so does its monotonic clock. When it resumes, the
     * holders of the client ask whether they hold their locks.
     */
    public void suspend(int id, Duration length) {
        SimulatedClient client = client(id);
        world.recorder().line(id, PAUSE, INVOKE).note("suspended for " + length).add();
        client.process().suspend(length);
        world.time().after(length.toNanos(), () -> {
            world.recorder().line(id, PAUSE, OK).add();
            client.process().after(0, client::checkHolds);
        });
    }

    /**
     * Makes all connections of all clients stale: what is sent on them is lost, without an error. New ones work.
     *
     * @param idle how many idle connections each client has at least
     */
    public void makeConnectionsStale(int idle) {
        world.fault(0, "the connections of all clients are stale, at least " + idle + " idle ones of each");
        clients.forEach(client -> client.connections().makeStale(idle));
    }

    /**
     * Sets the clock of the world.server().
     *
     * @param by how far ahead
     */
    public void stepServerClock(Duration by) {
        world.fault(0, "the server's clock is set by " + by);
        world.server().stepClock(by);
    }

    /** Stops replication of all later writes. */
    public void haltReplication() {
        world.fault(0, "what is written reaches no other member");
        world.server().haltReplication();
    }

    /**
     * Fails over to another member; data that is not replicated to a majority is lost.
     *
     * @param election the time without a primary
     */
    public void failOver(Duration election) {
        failOver(election, Duration.ZERO);
    }

    /**
     * Fails over to a member with another clock.
     *
     * @param election the time without a primary
     * @param ahead how far the clock of the new primary is ahead of that of the former one
     */
    public void failOver(Duration election, Duration ahead) {
        world.fault(0, "the primary goes; the next one comes in " + election + ", its clock ahead by " + ahead);
        world.server().failOver(election, ahead);
    }

    /**
     * Partitions the network: some clients stay with the former primary.
     *
     * @param withOldPrimary these clients
     * @param election the time without a primary for the others
     */
    public void divide(Set<Integer> withOldPrimary, Duration election) {
        world.fault(0, "the network is divided; with the old primary stay " + withOldPrimary);
        world.server().divide(withOldPrimary, election);
    }

    /** Ends the partition. */
    public void unite() {
        world.fault(0, "the network is whole again");
        world.server().unite();
    }

    /**
     * Lets the server refuse commands, as one that limits requests does.
     *
     * @param share the share of the commands that it refuses
     */
    public void shedLoad(double share, Duration length) {
        world.fault(0, "for " + length + " the server refuses " + Math.round(share * 100) + " % of the commands");
        world.server().shedLoad(share, length);
    }

    /** Returns the administrator of the database. */
    public Administrator administrator() {
        return new Administrator(world.server(), world.recorder());
    }

    /** Raises the tokens of all locks to the largest that the resources have seen, as an operator does. */
    public void raiseTokens() {
        SimulatedClient operator = newClient(ClockFault.NONE);
        long floor = world.resources().largestToken();
        operator.runner(Purpose.OPERATE)
                .runThenClose(
                        () -> operator.settings().strategy().raiseTokens(LockQuery.all(), floor),
                        raised -> world.fault(
                                0, "the operator has raised the tokens of " + raised + " documents to " + floor),
                        failure -> {
                            throw new IllegalStateException("The tokens could not be raised: " + failure);
                        });
    }

    /** Creates an operator, which can inspect and force-release the lock. */
    public SimulatedOperator operator() {
        return new SimulatedOperator(newClient(ClockFault.NONE));
    }

    void begin() {
        new Preparation(technique, world.server()).run();
        for (int id = 1; id <= scenario.workload().clients(); id++) {
            SimulatedClient client = newClient(scenario.clocks().apply(id));
            List<RandomGenerator> chances = IntStream.range(
                            0, scenario.workload().workers())
                    .mapToObj(worker -> chance.source("worker" + client.id() + "/" + worker))
                    .toList();
            chances.forEach(random -> workers.accept(client, random));
        }
        nemesis.begin(this);
    }

    private void begin(SimulatedClient client, RandomGenerator random) {
        Worker worker =
                switch (scenario.usage().use()) {
                    case ALONE, IN_ORDER -> new SimulatedWorker(world, client, random);
                    case REENTRANT -> new ReentrantWorker(world, client, random);
                    case LEAD, LEAD_SETTLED -> new LeaderWorker(world, client, random);
                    case SEVERAL, ONE_BY_ONE -> new MultiLockWorker(world, client, random);
                };
        worker.begin();
    }

    SimulatedClient newClient(ClockFault clockFault) {
        int id = clients.size() + 1;
        SimulatedClient client = new SimulatedClient(world, technique, new Identity(id, chance), clockFault);
        clients.add(client);
        return client;
    }

    private SimulatedClient client(int id) {
        return clients.get(id - 1);
    }
}
