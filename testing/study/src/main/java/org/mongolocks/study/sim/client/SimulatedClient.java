package org.mongolocks.study.sim.client;

import static org.mongolocks.study.history.Event.Op.ACQUIRE;
import static org.mongolocks.study.history.Event.Op.CHECK;
import static org.mongolocks.study.history.Event.Op.LOST;
import static org.mongolocks.study.history.Event.Op.RELEASE;
import static org.mongolocks.study.history.Event.Phase.FAIL;
import static org.mongolocks.study.history.Event.Phase.OK;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.types.ObjectId;
import org.mongolocks.Lease;
import org.mongolocks.LockLostListener;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.Owner;
import org.mongolocks.internal.engine.ClientEngine;
import org.mongolocks.internal.engine.ClientEngine.Platform;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.Recorder;
import org.mongolocks.study.sim.config.Environment.Callbacks;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.config.Workload.Locks;
import org.mongolocks.study.sim.driver.Pool;
import org.mongolocks.study.sim.driver.SimulatedDriver;
import org.mongolocks.study.sim.driver.SimulatedDriver.ClientContext;
import org.mongolocks.study.sim.driver.SimulatedDriver.DriverConfig;
import org.mongolocks.study.sim.driver.SimulatedFeed;
import org.mongolocks.study.sim.driver.SimulatedProcess;
import org.mongolocks.study.sim.driver.SimulatedWorld;
import org.mongolocks.study.sim.net.Commands;
import org.mongolocks.study.sim.net.Network.Purpose;
import org.mongolocks.study.sim.server.GuardedCounter;
import org.mongolocks.study.sim.server.ProtectedResources;
import org.mongolocks.study.sim.time.ClientClock;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.sim.time.SeededRandom;
import org.mongolocks.study.technique.ClientMistake;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Technique.TechniqueConfig;
import org.mongolocks.study.technique.Techniques;

/** One client in its process: equivalent to the library's clients, on the library's engine, in virtual time. */
public final class SimulatedClient {
    /** Real clients learn this from the check at their start. */
    private static final BsonDocument ROUTERS_HELLO = new BsonDocument("msg", new BsonString("isdbgrid"))
            .append("maxWireVersion", new BsonInt32(MongoOp.Hello.WIRE_VERSION_4_4));

    private final SimulatedWorld world;
    private final int id;
    private final TechniqueConfig config;
    private final ClientMistake mistake;
    private final SimulatedProcess process;
    private final ClientSettings settings;
    private final Pool connections;
    private final ClientRuns runs;
    private final SimulatedDriver driver;
    private final RandomGenerator owners;
    private final SimulatedBackgroundRunner renewals;
    private final ClientEngine engine;
    private final Map<Hold, WorkerLock> known = new LinkedHashMap<>();

    /** The number of a client, and its random source. */
    public record Identity(int id, SeededRandom chance) {
        RandomGenerator source(String concern) {
            return chance.source(concern + id);
        }
    }

    public SimulatedClient(SimulatedWorld world, Technique technique, Identity identity, ClockFault clockFault) {
        this.world = world;
        this.id = identity.id();
        this.config = technique.config();
        this.mistake = technique.mistake();
        this.process = new SimulatedProcess(
                world.time(), new ClientClock(world.time(), clockFault), identity.source("waking"));
        this.settings = SimulatedSettings.of(
                technique,
                id,
                new SimulatedSettings.Machine(
                        process.clock(),
                        process.clock(),
                        process.timer(),
                        task -> process.after(0, task),
                        identity.source("jitter")),
                world.usage().commandTimeout());
        this.owners = identity.source("owners");
        this.connections = new Pool(world.environment().connections(), process, identity.source("pool"));
        this.runs = new ClientRuns(settings, new ConnectionShortage(settings.time()));
        this.driver = driver(identity.source("ids"));
        if (!world.environment().routers().isEmpty()) {
            runs.recordServer(ROUTERS_HELLO);
        }
        this.renewals = new SimulatedBackgroundRunner(
                world, id, limit -> runner(Purpose.RENEW, limit), settings, runs, isShipped());
        this.engine = new ClientEngine(
                settings,
                runs,
                new Platform(feed(), process.timer(), process.timer(), this::callBack, renewals, Optional.empty()));
    }

    public SimulatedProcess process() {
        return process;
    }

    public Pool connections() {
        return connections;
    }

    public int id() {
        return id;
    }

    /** Returns whether it runs as in the library; otherwise, for example, holders ignore the end of a lease. */
    public boolean isShipped() {
        return config.isShipped();
    }

    /** Acquires, and calls back with the lock or without. */
    public void acquire(Duration waitAtMost, Consumer<Optional<WorkerLock>> then) {
        acquire(LockRequest.of(Locks.one(), Techniques.TTL).waitAtMost(waitAtMost), then);
    }

    /** Acquires one of several locks, with the usual wait. */
    public void acquire(LockName name, Consumer<Optional<WorkerLock>> then) {
        acquire(LockRequest.of(name, Techniques.TTL).waitAtMost(timeout()), then);
    }

    /** Acquires a lock, and keeps it alive if the scenario does. */
    public void acquire(LockRequest request, Consumer<Optional<WorkerLock>> then) {
        LockRequest asked = config.isKeptAlive() && world.usage().isKeptAlive() ? request : request.fixedLease();
        boolean inOrder = world.usage().use() == LockUsage.Use.IN_ORDER;
        SimulatedAcquire.begin(this, inOrder ? asked.fair() : asked, then);
    }

    /** Acquires several locks, all or none, with the usual wait. */
    public void acquireAll(List<LockName> names, Consumer<List<WorkerLock>> then) {
        acquireAll(names, timeout(), then);
    }

    /** Acquires several locks, all or none. */
    public void acquireAll(List<LockName> names, Duration waitAtMost, Consumer<List<WorkerLock>> then) {
        MultiLockRequest request = MultiLockRequest.of(
                        names.stream().map(LockName::value).toList(), Techniques.TTL)
                .waitAtMost(waitAtMost);
        SimulatedAcquire.begin(this, request, then);
    }

    /** Registers a grant, and records it and its later events. */
    WorkerLock held(int grant, Hold hold, long commit) {
        Lease lease = hold.lease();
        WorkerLock holding = new WorkerLock(grant, hold, lease.fencingToken(), commit);
        line(ACQUIRE, OK, holding)
                .decided(lease.fencingToken(), commit)
                .lease(beginningOf(lease), endOf(lease))
                .add();
        followLoss(
                hold,
                (lost, reason) -> line(LOST, OK, holding).note(reason.name()).add());
        renewals.follow(holding, this::endOf);
        known.put(hold, holding);
        return holding;
    }

    /** Runs a callback of the user, in rows where no earlier one blocks its thread. */
    private void callBack(Runnable callback) {
        if (!world.environment().callbacks().isBlocking()) {
            process.after(0, callback);
        }
    }

    /** Has the holder of a lock learn of its loss, and registers callbacks of the user. */
    private void followLoss(Hold hold, LockLostListener learned) {
        Callbacks callbacks = world.environment().callbacks();
        if (callbacks == Callbacks.BLOCK) {
            hold.signalLoss(learned);
        } else {
            hold.onLost(learned);
        }
        if (callbacks.isBlocking()) {
            hold.onEndangered(Techniques.TTL.multipliedBy(9).dividedBy(10), (lease, remaining) -> {});
        }
    }

    /** Asks whether the locks that were not released are held, and records the answers. */
    public void checkHolds() {
        known.forEach((hold, holding) -> {
            if (isShipped() && !hold.isOver()) {
                line(CHECK, hold.isHeld() ? OK : FAIL, holding).add();
            }
        });
    }

    /** Returns the lock of an earlier acquisition. */
    WorkerLock holdingOf(Hold hold) {
        return Optional.ofNullable(known.get(hold)).orElseThrow();
    }

    private long beginningOf(Lease lease) {
        Duration margin = settings.holding().marginFor(lease.ttl());
        return process.clock()
                .realTimeOf(lease.validUntilNanos() + margin.minus(lease.ttl()).toNanos());
    }

    /** Returns the end of a lease; none for a technique that ignores it. */
    private long endOf(Lease lease) {
        return isShipped() ? process.clock().realTimeOf(lease.validUntilNanos()) : Long.MAX_VALUE;
    }

    public Duration timeout() {
        return world.usage().timeout().orElse(config.waitAtMost());
    }

    /** Releases, and calls back in any case. */
    public void release(WorkerLock holding, Runnable then) {
        SimulatedStepRunner runner = runner(Purpose.RELEASE).serving(holding.grant());
        line(RELEASE, Phase.INVOKE, holding).decided(holding.token(), 0).add();
        runner.runThenClose(
                () -> engine.release(holding.hold()),
                released -> released(holding, released ? OK : FAIL, runner.lastCommit(), then),
                failure -> released(holding, Phase.INFO, 0, then));
    }

    private void released(WorkerLock holding, Phase phase, long commit, Runnable then) {
        line(RELEASE, phase, holding).decided(holding.token(), commit).add();
        then.run();
    }

    /** Writes in a guarded transaction, and calls back with whether the lock may still be held. */
    public void writeGuarded(WorkerLock holding, Consumer<Boolean> then) {
        writeGuarded(holding, 0, then);
    }

    /** As {@link #writeGuarded(WorkerLock, Consumer)}, after work in the open transaction. */
    public void writeGuarded(WorkerLock holding, long workNanos, Consumer<Boolean> then) {
        new SimulatedGuardedTransaction(this, holding, workNanos, then).begin();
    }

    SimulatedWorld world() {
        return world;
    }

    public ClientSettings settings() {
        return settings;
    }

    ClientMistake mistake() {
        return mistake;
    }

    ClientEngine engine() {
        return engine;
    }

    /** Returns a runner without a limit other than the command timeout. */
    public SimulatedStepRunner runner(Purpose purpose) {
        return runner(purpose, TimeBudget.perCommand(settings.commandTimeout()));
    }

    /** Returns a runner; a technique of an article has no limit. */
    SimulatedStepRunner runner(Purpose purpose, TimeBudget limit) {
        return new SimulatedStepRunner(driver, process, purpose, limit, isShipped());
    }

    Owner newOwner() {
        return new Owner(settings.instance(), SeededRandom.uuid(owners));
    }

    public Recorder.Line line(Op op, Phase phase, int grant) {
        return world.recorder().line(id, op, phase).grant(grant);
    }

    /** Begins a line about a held lock. */
    public Recorder.Line line(Op op, Phase phase, WorkerLock holding) {
        return line(op, phase, holding.grant()).lock(holding.lock());
    }

    private SimulatedDriver driver(RandomGenerator ids) {
        DriverConfig driverConfig =
                new DriverConfig(config.isShipped(), settings.commandTimeout(), config.isShipped(), mistake);
        ClientContext context = new ClientContext(id, process, connections, driverConfig, world);
        LockSchema schema = settings.strategy().schema();
        Commands commands = new Commands(
                name -> name.equals(GuardedCounter.COLLECTION)
                        ? name
                        : schema.resolve(name, /* base= */ settings.collection()),
                () -> objectId(ids));
        return new SimulatedDriver(context, commands, runs, ids);
    }

    private ChangeFeed feed() {
        boolean listens = config.isShipped() && world.environment().hasChangeStreams(id);
        return listens ? new SimulatedFeed(driver, process, settings, world.environment()) : ChangeFeed.none();
    }

    private static BsonObjectId objectId(RandomGenerator ids) {
        byte[] bytes = new byte[12];
        ids.nextBytes(bytes);
        return new BsonObjectId(new ObjectId(bytes));
    }

    /**
     * A lock that a worker holds.
     *
     * @param grant the number of the acquisition in the run
     * @param hold its state in the client
     * @param token the token that it passes to others
     * @param commit the position of the grant in the server's order
     */
    public record WorkerLock(int grant, Hold hold, long token, long commit) {
        /** Returns the number of the lock. */
        public int lock() {
            return Locks.number(hold.lease().name());
        }

        public ProtectedResources.User user(int process) {
            return new ProtectedResources.User(process, grant, token, commit);
        }
    }
}
