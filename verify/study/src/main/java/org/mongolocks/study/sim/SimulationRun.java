package org.mongolocks.study.sim;

import static org.mongolocks.study.history.Event.Op.CRASH;
import static org.mongolocks.study.history.Event.Op.FAULT;
import static org.mongolocks.study.history.Event.Op.PAUSE;
import static org.mongolocks.study.history.Event.Phase.INVOKE;
import static org.mongolocks.study.history.Event.Phase.OK;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
import org.mongolocks.Owner;
import org.mongolocks.spi.Reply;
import org.mongolocks.study.history.Recorder;
import org.mongolocks.study.sim.Scenario.FaultPoint;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.Workload.LockUsage;
import org.mongolocks.study.sim.Workload.Locks;
import org.mongolocks.study.sim.client.SimulatedClient;
import org.mongolocks.study.sim.client.SimulatedOperator;
import org.mongolocks.study.sim.client.SimulatedStepRunner;
import org.mongolocks.study.sim.driver.CommandExchange.WireTrace;
import org.mongolocks.study.sim.net.Network;
import org.mongolocks.study.sim.net.Network.Message;
import org.mongolocks.study.sim.net.Network.MessageFate;
import org.mongolocks.study.sim.net.Network.Purpose;
import org.mongolocks.study.sim.server.Administrator;
import org.mongolocks.study.sim.server.Preparation;
import org.mongolocks.study.sim.server.ProtectedResources;
import org.mongolocks.study.sim.server.SimulatedServer;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.sim.time.SeededRandom;
import org.mongolocks.study.sim.time.VirtualTime;
import org.mongolocks.study.sim.workload.LeaderWorker;
import org.mongolocks.study.sim.workload.MultiLockWorker;
import org.mongolocks.study.sim.workload.ReentrantWorker;
import org.mongolocks.study.sim.workload.SimulatedWorker;
import org.mongolocks.study.sim.workload.Worker;
import org.mongolocks.study.technique.Technique;

/** One run: time, network, server, resources, clients, and faults. */
public final class SimulationRun {
    public static final LockName LOCK = Locks.one();
    private static final Duration TTL_MONITOR_AGE = Duration.ofSeconds(60);

    private final VirtualTime time = new VirtualTime();
    private final Recorder recorder = new Recorder(time::nowNanos);
    private final List<ProtectedResources> resources = IntStream.rangeClosed(0, Locks.SEVERAL)
            .mapToObj(lock -> new ProtectedResources(recorder, lock))
            .toList();
    private final SeededRandom chance;
    private final Scenario scenario;
    private final Technique technique;
    private final Nemesis nemesis;
    private final Network network;
    private final SimulatedServer server;
    private final RandomGenerator faults;
    private final List<SimulatedClient> clients = new ArrayList<>();
    private WireTrace trace = WireTrace.NOBODY;
    private BiConsumer<SimulatedClient, RandomGenerator> workers = this::begin;
    private final Map<String, Asking> asking = new HashMap<>();
    private int grants;
    private long commands;
    private long streamCommands;

    public SimulationRun(Scenario scenario, Technique technique, SeededRandom chance) {
        this.scenario = scenario;
        this.technique = technique;
        this.chance = chance;
        this.faults = chance.source("faults");
        this.nemesis = scenario.nemesis().apply(faults);
        this.network = new Network(time, scenario.environment().delay(), chance.source("network"), this::fateOf);
        Duration age = Duration.ofMillis(chance.source("server").nextLong(TTL_MONITOR_AGE.toMillis()));
        this.server = new SimulatedServer(time, scenario.environment(), age, chance.source("routing"));
    }

    /** Sets the listener for sent commands. */
    public SimulationRun withTrace(WireTrace listener) {
        trace = listener;
        return this;
    }

    /** Starts other workers than those of the scenario: called for each worker with its client, when that is built. */
    SimulationRun withWorkers(BiConsumer<SimulatedClient, RandomGenerator> others) {
        workers = others;
        return this;
    }

    public WireTrace trace() {
        return trace;
    }

    /**
     * Returns the time of the observer.
     *
     * @return nanoseconds since the run began
     */
    public long nowNanos() {
        return time.nowNanos();
    }

    /**
     * Schedules a task, which runs at the end of the workload at the latest.
     *
     * @param wait the delay
     * @param task the task
     */
    public void later(Duration wait, Runnable task) {
        time.after(Math.min(wait.toNanos(), left()), task);
    }

    private long left() {
        return Math.max(0, scenario.workload().length().toNanos() - time.nowNanos());
    }

    /**
     * Crashes a process.
     *
     * @param client its client
     */
    public void crash(int client) {
        recorder.line(client, CRASH, OK).add();
        client(client).process().crash();
    }

    /**
     * Pauses a process.
     *
     * @param client its client
     * @param length the length of the pause
     */
    public void pause(int client, Duration length) {
        recorder.line(client, PAUSE, INVOKE).note(length.toString()).add();
        client(client).process().pause(length);
        time.after(length.toNanos(), () -> recorder.line(client, PAUSE, OK).add());
    }

    /**
     * Suspends the machine of a client: its process stands still, and so does its monotonic clock. When it resumes, the
     * holders of the client ask whether they hold their locks.
     *
     * @param id the client
     * @param length the length of the suspend
     */
    public void suspend(int id, Duration length) {
        SimulatedClient client = client(id);
        recorder.line(id, PAUSE, INVOKE).note("suspended for " + length).add();
        client.process().suspend(length);
        time.after(length.toNanos(), () -> {
            recorder.line(id, PAUSE, OK).add();
            client.process().after(0, client::checkHolds);
        });
    }

    /**
     * Makes all connections of all clients stale: what is sent on them is lost, without an error. New ones work.
     *
     * @param idle how many idle connections each client has at least
     */
    public void makeConnectionsStale(int idle) {
        fault(0, "the connections of all clients are stale, at least " + idle + " idle ones of each");
        clients.forEach(client -> client.connections().makeStale(idle));
    }

    /**
     * Sets the wall clock of a client.
     *
     * @param client the client
     * @param by how far ahead
     */
    public void stepClientClock(int client, Duration by) {
        fault(client, "its wall clock is set by " + by);
        client(client).process().clock().step(by);
    }

    /**
     * Sets the clock of the server.
     *
     * @param by how far ahead
     */
    public void stepServerClock(Duration by) {
        fault(0, "the server's clock is set by " + by);
        server.stepClock(by);
    }

    /** Stops replication of all later writes. */
    public void haltReplication() {
        fault(0, "what is written reaches no other member");
        server.haltReplication();
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
        fault(0, "the primary goes; the next one comes in " + election + ", its clock ahead by " + ahead);
        server.failOver(election, ahead);
    }

    /**
     * Partitions the network: some clients stay with the former primary.
     *
     * @param withOldPrimary these clients
     * @param election the time without a primary for the others
     */
    public void divide(Set<Integer> withOldPrimary, Duration election) {
        fault(0, "the network is divided; with the old primary stay " + withOldPrimary);
        server.divide(withOldPrimary, election);
    }

    /** Ends the partition. */
    public void unite() {
        fault(0, "the network is whole again");
        server.unite();
    }

    /**
     * Executes the next write and replies with a write concern error: it is uncertain whether a majority will have it.
     */
    public void leaveNextWriteAmbiguous() {
        fault(0, "a write gets a write concern error");
        server.leaveNextWriteAmbiguous();
    }

    /**
     * Returns the administrator of the database.
     *
     * @return the administrator
     */
    public Administrator administrator() {
        return new Administrator(server, recorder);
    }

    /** Raises the tokens of all locks to the largest that the resources have seen, as an operator does. */
    public void raiseTokens() {
        SimulatedClient operator = newClient(ClockFault.NONE);
        SimulatedStepRunner runner = operator.runner(Purpose.OPERATE);
        long floor = resources().largestToken();
        runner.run(
                () -> operator.settings().strategy().raiseTokens(LockQuery.all(), floor),
                new SimulatedStepRunner.Ending<Long>() {
                    @Override
                    public void done(Long raised) {
                        runner.close();
                        fault(0, "the operator has raised the tokens of " + raised + " documents to " + floor);
                    }

                    @Override
                    public void failed(Reply.Failed failure) {
                        throw new IllegalStateException("The tokens could not be raised: " + failure);
                    }
                });
    }

    /**
     * Records a fault.
     *
     * @param client its client; 0 for none
     * @param what a description of the fault
     */
    public void fault(int client, String what) {
        recorder.line(client, FAULT, OK).note(what).add();
    }

    void begin() {
        new Preparation(technique, server).run();
        for (int id = 1; id <= scenario.workload().clients(); id++) {
            SimulatedClient client = newClient(scenario.clocks().apply(id));
            List<RandomGenerator> chances = IntStream.range(
                            0, scenario.workload().workers())
                    .mapToObj(worker -> chance.source("worker" + client.id() + "/" + worker))
                    .toList();
            client.build(() -> chances.forEach(random -> workers.accept(client, random)));
        }
        nemesis.begin(this);
    }

    private void begin(SimulatedClient client, RandomGenerator random) {
        Worker worker =
                switch (manner().use()) {
                    case ALONE, IN_ORDER -> new SimulatedWorker(this, client, random);
                    case REENTRANT -> new ReentrantWorker(this, client, random);
                    case LEAD, LEAD_SETTLED -> new LeaderWorker(this, client, random);
                    case SEVERAL, IN_PARTS, ONE_BY_ONE -> new MultiLockWorker(this, client, random);
                };
        worker.begin();
    }

    SimulatedClient newClient(ClockFault clockFault) {
        int id = clients.size() + 1;
        SimulatedClient client = new SimulatedClient(this, technique, new Identity(id, chance), clockFault);
        clients.add(client);
        return client;
    }

    /** The number of a client, and its random source. */
    public record Identity(int id, SeededRandom chance) {
        public RandomGenerator source(String concern) {
            return chance.source(concern + id);
        }
    }

    /** Returns the fate of a message; after the end of the workload all messages arrive. */
    private MessageFate fateOf(Message message) {
        if (message.isStale()) {
            return MessageFate.SWALLOWED;
        }
        return isOver() ? MessageFate.ARRIVES : nemesis.fate(message);
    }

    /**
     * Returns whether the workload has ended. From then on there are no faults.
     *
     * @return true at the end
     */
    public boolean isOver() {
        return time.nowNanos() >= scenario.workload().length().toNanos();
    }

    public void at(FaultPoint moment, int client) {
        if (!isOver()) {
            nemesis.at(moment, this, client);
        }
    }

    public Duration delayOfWrite(int client) {
        return nemesis.delayOfWrite(client);
    }

    public Optional<Duration> interruptAfter(int client) {
        return isOver() ? Optional.empty() : nemesis.interruptAfter(client);
    }

    /** Counts a command, unless it belongs to the work under the lock. */
    public void countCommand(Purpose purpose) {
        commands += purpose == Purpose.GUARD ? 0 : 1;
        streamCommands += purpose == Purpose.WATCH ? 1 : 0;
    }

    long commands() {
        return commands;
    }

    long streamCommands() {
        return streamCommands;
    }

    /** Records the acquisition of an owner. */
    public void asks(Owner owner, int client, int grant) {
        asking.put(owner.stored(), new Asking(client, grant));
    }

    /** Returns the acquisition of an owner. */
    public Asking asking(String owner) {
        return Optional.ofNullable(asking.get(owner)).orElseThrow();
    }

    /** An acquisition of a client. */
    public record Asking(int client, int grant) {}

    /**
     * Creates an operator, which can inspect and force-release the lock.
     *
     * @return the operator
     */
    public SimulatedOperator operator() {
        return new SimulatedOperator(newClient(ClockFault.NONE));
    }

    public int newGrant() {
        return ++grants;
    }

    public VirtualTime time() {
        return time;
    }

    public Recorder recorder() {
        return recorder;
    }

    public ProtectedResources resources() {
        return resources(0);
    }

    /** Returns the resources that a lock protects. */
    public ProtectedResources resources(int lock) {
        return resources.get(lock);
    }

    public Network network() {
        return network;
    }

    public SimulatedServer server() {
        return server;
    }

    public Environment environment() {
        return scenario.environment();
    }

    public LockUsage manner() {
        return scenario.manner();
    }

    public Workload workload() {
        return scenario.workload();
    }

    private SimulatedClient client(int id) {
        return clients.get(id - 1);
    }
}
