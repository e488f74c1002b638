package org.mongolocks.study.simulation;

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
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
import org.mongolocks.Owner;
import org.mongolocks.spi.Reply;
import org.mongolocks.study.history.Recorder;
import org.mongolocks.study.technique.Technique;

/** Is one run: time, network, server, resources, clients, and what may go wrong with them. */
public final class World {
    static final LockName LOCK = Locks.one();
    private static final Duration TTL_MONITOR_AGE = Duration.ofSeconds(60);

    private final VirtualTime time = new VirtualTime();
    private final Recorder recorder = new Recorder(time::nowNanos);
    private final List<Resources> resources = IntStream.rangeClosed(0, Locks.SEVERAL)
            .mapToObj(lock -> new Resources(recorder, lock))
            .toList();
    private final Chance chance;
    private final Scenario scenario;
    private final Technique technique;
    private final Nemesis nemesis;
    private final Network network;
    private final SimulatedServer server;
    private final RandomGenerator faults;
    private final List<SimulatedClient> clients = new ArrayList<>();
    private WireTrace trace = WireTrace.NOBODY;
    private final Map<String, Asking> asking = new HashMap<>();
    private int grants;
    private long commands;

    World(Scenario scenario, Technique technique, Chance chance) {
        this.scenario = scenario;
        this.technique = technique;
        this.chance = chance;
        this.faults = chance.source("faults");
        this.nemesis = scenario.nemesis().apply(faults);
        this.network = new Network(time, scenario.environment().delay(), chance.source("network"), this::fateOf);
        Duration age = Duration.ofMillis(chance.source("server").nextLong(TTL_MONITOR_AGE.toMillis()));
        this.server = new SimulatedServer(time, scenario.environment(), age, chance.source("routing"));
    }

    /** Has somebody listen to what is sent. */
    World heardBy(WireTrace listener) {
        trace = listener;
        return this;
    }

    WireTrace trace() {
        return trace;
    }

    /**
     * Gives the time of the observer.
     *
     * @return nanoseconds since the run began
     */
    public long nowNanos() {
        return time.nowNanos();
    }

    /**
     * Has something happen later, at the end of the work at the latest.
     *
     * @param wait how much later
     * @param task what
     */
    public void later(Duration wait, Runnable task) {
        time.after(Math.min(wait.toNanos(), left()), task);
    }

    private long left() {
        return Math.max(0, scenario.workload().length().toNanos() - time.nowNanos());
    }

    /**
     * Stops a process for good.
     *
     * @param client whose
     */
    public void crash(int client) {
        recorder.line(client, CRASH, OK).add();
        client(client).process().crash();
    }

    /**
     * Has a process stand still.
     *
     * @param client whose
     * @param length for how long
     */
    public void pause(int client, Duration length) {
        recorder.line(client, PAUSE, INVOKE).note(length.toString()).add();
        client(client).process().pause(length);
        time.after(length.toNanos(), () -> recorder.line(client, PAUSE, OK).add());
    }

    /**
     * Sets the wall clock of a client.
     *
     * @param client whose
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

    /** What is written from now on reaches no other member. */
    public void haltReplication() {
        fault(0, "what is written reaches no other member");
        server.haltReplication();
    }

    /**
     * The primary goes; what a majority does not have is lost.
     *
     * @param election how long there is none
     */
    public void failOver(Duration election) {
        failOver(election, Duration.ZERO);
    }

    /**
     * The primary goes, and the clock of the next one shows another time.
     *
     * @param election how long there is none
     * @param ahead how far the clock of the new primary is ahead of that of the old one
     */
    public void failOver(Duration election, Duration ahead) {
        fault(0, "the primary goes; the next one comes in " + election + ", its clock ahead by " + ahead);
        server.failOver(election, ahead);
    }

    /**
     * Divides the network: some clients stay with the old primary.
     *
     * @param withOldPrimary which ones
     * @param election how long the others have none
     */
    public void divide(Set<Integer> withOldPrimary, Duration election) {
        fault(0, "the network is divided; with the old primary stay " + withOldPrimary);
        server.divide(withOldPrimary, election);
    }

    /** Ends the division. */
    public void unite() {
        fault(0, "the network is whole again");
        server.unite();
    }

    /** The next write is executed, and the server says that it does not know whether a majority will ever have it. */
    public void leaveNextWriteInDoubt() {
        fault(0, "a write is left in doubt");
        server.leaveNextWriteInDoubt();
    }

    /**
     * Gives the administrator of the database.
     *
     * @return the administrator
     */
    public Administrator administrator() {
        return new Administrator(server, recorder);
    }

    /** Has an operator raise the tokens of all locks to the largest that the resources have seen. */
    public void raiseTokens() {
        SimulatedClient operator = newClient(ClockFault.NONE);
        Runner runner = operator.runner(Purpose.OPERATE);
        long floor = resources().largestToken();
        runner.run(() -> operator.settings().strategy().raiseTokens(LockQuery.all(), floor), new Runner.Ending<Long>() {
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
     * Notes that something went wrong.
     *
     * @param client whose fault; 0 if nobody's
     * @param what what it is
     */
    public void fault(int client, String what) {
        recorder.line(client, FAULT, OK).note(what).add();
    }

    Outcome run() {
        new Preparation(technique, server).run();
        for (int id = 1; id <= scenario.workload().clients(); id++) {
            SimulatedClient client = newClient(scenario.clocks().apply(id));
            List<RandomGenerator> workers = IntStream.range(
                            0, scenario.workload().workers())
                    .mapToObj(worker -> chance.source("worker" + client.id() + "/" + worker))
                    .toList();
            client.build(() -> workers.forEach(random -> begin(client, random)));
        }
        nemesis.begin(this);
        return new Ending(this, time, recorder).run(scenario, technique);
    }

    private void begin(SimulatedClient client, RandomGenerator random) {
        switch (manner().use()) {
            case ALONE, IN_ORDER -> new Worker(this, client, random).begin();
            case REENTRANT -> new ReentrantWorker(this, client, random).begin();
            case SEVERAL, IN_PARTS, ONE_BY_ONE -> new SeveralWorker(this, client, random).begin();
        }
    }

    SimulatedClient newClient(ClockFault clockFault) {
        int id = clients.size() + 1;
        SimulatedClient client = new SimulatedClient(this, technique, new Identity(id, chance), clockFault);
        clients.add(client);
        return client;
    }

    /** Is which client it is, and where its chance comes from. */
    record Identity(int id, Chance chance) {
        RandomGenerator source(String concern) {
            return chance.source(concern + id);
        }
    }

    /** In the end all is healed. */
    private Fate fateOf(Message message) {
        return isOver() ? Fate.ARRIVES : nemesis.fate(message);
    }

    /**
     * Tells whether the work is over. From then on nothing goes wrong any more.
     *
     * @return true at the end
     */
    public boolean isOver() {
        return time.nowNanos() >= scenario.workload().length().toNanos();
    }

    void at(Moment moment, int client) {
        if (!isOver()) {
            nemesis.at(moment, this, client);
        }
    }

    Duration delayOfWrite(int client) {
        return nemesis.delayOfWrite(client);
    }

    Optional<Duration> interruptAfter(int client) {
        return isOver() ? Optional.empty() : nemesis.interruptAfter(client);
    }

    /** What the work itself sends is no cost of the lock. */
    void countCommand(Purpose purpose) {
        commands += purpose == Purpose.GUARD ? 0 : 1;
    }

    long commands() {
        return commands;
    }

    /** Notes which acquisition of which client has an owner. */
    void asks(Owner owner, int client, int grant) {
        asking.put(owner.stored(), new Asking(client, grant));
    }

    /** Gives the acquisition that has an owner. */
    Asking asking(String owner) {
        return Optional.ofNullable(asking.get(owner)).orElseThrow();
    }

    /** Is an acquisition of a client. */
    record Asking(int client, int grant) {}

    /**
     * Has an operator, who looks at the lock and may force it free.
     *
     * @return the operator
     */
    public Operator operator() {
        return new Operator(newClient(ClockFault.NONE));
    }

    int newGrant() {
        return ++grants;
    }

    VirtualTime time() {
        return time;
    }

    Recorder recorder() {
        return recorder;
    }

    Resources resources() {
        return resources(0);
    }

    /** Gives what one of several locks protects. */
    Resources resources(int lock) {
        return resources.get(lock);
    }

    Network network() {
        return network;
    }

    SimulatedServer server() {
        return server;
    }

    Environment environment() {
        return scenario.environment();
    }

    Manner manner() {
        return scenario.manner();
    }

    Workload workload() {
        return scenario.workload();
    }

    private SimulatedClient client(int id) {
        return clients.get(id - 1);
    }
}
