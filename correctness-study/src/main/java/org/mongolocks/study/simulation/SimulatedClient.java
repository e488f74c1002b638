package org.mongolocks.study.simulation;

import static org.mongolocks.study.history.Event.Op.ACQUIRE;
import static org.mongolocks.study.history.Event.Op.LOST;
import static org.mongolocks.study.history.Event.Phase.OK;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.bson.BsonObjectId;
import org.bson.types.ObjectId;
import org.mongolocks.ClientSettings;
import org.mongolocks.Lease;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSetRequest;
import org.mongolocks.Owner;
import org.mongolocks.internal.wait.ChangeFeed;
import org.mongolocks.internal.run.CommandLimit;
import org.mongolocks.internal.run.ConnectionShortage;
import org.mongolocks.internal.wait.EventLag;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.Holds;
import org.mongolocks.internal.reentrant.Reentries;
import org.mongolocks.internal.wait.WaitingRoom;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.Reply;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.Recorder;
import org.mongolocks.study.technique.Habits;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/** One client in its process: equivalent to the library's clients, on the library's engine, in virtual time. */
final class SimulatedClient {
    private final World world;
    private final int id;
    private final Habits habits;
    private final SimulatedProcess process;
    private final ClientSettings settings;
    private final Driver driver;
    private final WaitingRoom room;
    private final Holds holds;
    private final RandomGenerator owners;
    private final Renewals renewals;
    private final Reentries reentries;
    private final Map<Hold, Holding> known = new HashMap<>();

    SimulatedClient(World world, Technique technique, World.Identity identity, ClockFault clockFault) {
        this.world = world;
        this.id = identity.id();
        this.habits = technique.habits();
        this.process = new SimulatedProcess(
                world.time(), new ClientClock(world.time(), clockFault), identity.source("waking"));
        this.settings = SimulatedSettings.of(
                technique, process, identity, world.manner().commandTimeout());
        this.owners = identity.source("owners");
        this.driver = driver(identity.source("ids"), identity.source("pool"));
        EventLag lag = new EventLag(settings.time());
        ConnectionShortage shortage = new ConnectionShortage(settings.time());
        driver.heardBy(lag);
        driver.watchedBy(shortage);
        this.room = new WaitingRoom(settings, feed(), shortage, lag);
        this.renewals = new Renewals(world, id, () -> runner(Purpose.RENEW));
        this.holds = new Holds(settings, process.timer(), task -> process.after(0, task), renewals);
        room.whenCollectionEnds(holds::renewSoon);
        this.reentries = new Reentries(settings, holds, room);
    }

    SimulatedProcess process() {
        return process;
    }

    int id() {
        return id;
    }

    /** Returns whether it runs as in the library; otherwise, for example, holders ignore the end of a lease. */
    boolean isShipped() {
        return habits.isShipped();
    }

    /** Builds the client and calls back; a client whose collections are refused does nothing more. */
    void build(Runnable then) {
        if (!isShipped() || !world.manner().isChecked()) {
            then.run();
            return;
        }
        Runner runner = runner(Purpose.CHECK);
        runner.run(() -> new org.mongolocks.internal.schema.Preparation(settings).start(), new Runner.Ending<>() {
            @Override
            public void done(List<String> warnings) {
                runner.close();
                then.run();
            }

            @Override
            public void failed(Reply.Failed failure) {
                runner.close();
                world.fault(id, "it is not built: " + failure.fault());
            }

            @Override
            public void brokenOff(LockException error) {
                runner.close();
                world.fault(id, "it is refused: " + error.getClass().getSimpleName());
            }
        });
    }

    /** Acquires, and calls back with the lock or without. */
    void acquire(Duration waitAtMost, Consumer<Optional<Holding>> then) {
        acquire(new LockRequest(World.LOCK, Techniques.TTL, waitAtMost), then);
    }

    /** Acquires one of several locks, with the usual wait. */
    void acquire(LockName name, Consumer<Optional<Holding>> then) {
        acquire(new LockRequest(name, Techniques.TTL, patience()), then);
    }

    private void acquire(LockRequest request, Consumer<Optional<Holding>> then) {
        LockRequest asked = habits.isKeptAlive() && world.manner().isKeptAlive() ? request.keepAlive() : request;
        boolean inOrder = world.manner().use() == Manner.Use.IN_ORDER;
        new Attempt(this, inOrder ? asked.inOrder() : asked, then).begin();
    }

    /** Acquires several locks, all or none, with the usual wait. */
    void acquireAll(List<LockName> names, Consumer<List<Holding>> then) {
        acquireAll(names, patience(), then);
    }

    /** Acquires several locks, all or none. */
    void acquireAll(List<LockName> names, Duration waitAtMost, Consumer<List<Holding>> then) {
        LockSetRequest request = new LockSetRequest(names, Techniques.TTL, waitAtMost, true, Optional.empty());
        new SetAttempt(this, request, then).begin();
    }

    /** Registers a grant, and records it and its later events. */
    Holding held(SetAttempt.Grant grant) {
        Hold hold = grant.hold();
        Lease lease = hold.lease();
        Holding holding = new Holding(grant.id(), hold, lease.fencingToken(), grant.commit());
        line(ACQUIRE, OK, holding)
                .decided(lease.fencingToken(), grant.commit())
                .lease(beginningOf(lease), endOf(lease))
                .add();
        hold.onLost(
                (lost, reason) -> line(LOST, OK, holding).note(reason.name()).add());
        renewals.follow(holding, this::endOf);
        known.put(hold, holding);
        return holding;
    }

    /** Returns the lock of an earlier acquisition. */
    Holding holdingOf(Hold hold) {
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

    Duration patience() {
        return world.manner().patience().orElse(habits.waitAtMost());
    }

    /** Releases, and calls back in any case. */
    void release(Holding holding, Runnable then) {
        new GivingBack(this, holding, then).begin();
    }

    /** Writes in a guarded transaction, and calls back with whether the lock may still be held. */
    void writeGuarded(Holding holding, Consumer<Boolean> then) {
        new Guarding(this, holding, then).begin();
    }

    World world() {
        return world;
    }

    ClientSettings settings() {
        return settings;
    }

    WaitingRoom room() {
        return room;
    }

    Holds holds() {
        return holds;
    }

    Reentries reentries() {
        return reentries;
    }

    /** Returns a runner without a limit other than the command timeout. */
    Runner runner(Purpose purpose) {
        return runner(purpose, CommandLimit.each(settings.commandTimeout()));
    }

    /** Returns a runner; a technique of an article has no limit. */
    Runner runner(Purpose purpose, CommandLimit limit) {
        return new Runner(driver, process, purpose, Optional.of(limit).filter(each -> isShipped()));
    }

    Owner newOwner() {
        return new Owner(settings.instance(), Chance.uuid(owners));
    }

    Recorder.Line line(Op op, Phase phase, int grant) {
        return world.recorder().line(id, op, phase).grant(grant);
    }

    /** Begins a line about a held lock. */
    Recorder.Line line(Op op, Phase phase, Holding holding) {
        return line(op, phase, holding.grant()).lock(holding.lock());
    }

    private Driver driver(RandomGenerator ids, RandomGenerator waking) {
        DriverHabits driverHabits = new DriverHabits(habits.isShipped(), settings.commandTimeout(), habits.isShipped());
        Pool pool = new Pool(world.environment().connections(), process, waking);
        Surroundings surroundings = new Surroundings(id, process, pool, driverHabits, world);
        LockSchema schema = settings.strategy().schema();
        Commands commands = new Commands(
                name -> name.equals(Ledger.COLLECTION) ? name : schema.resolve(name, /* base= */ settings.collection()),
                () -> objectId(ids));
        return new Driver(surroundings, commands, ids);
    }

    private ChangeFeed feed() {
        boolean listens = habits.isShipped() && world.environment().changeStreams();
        return listens ? new SimulatedFeed(driver, process, settings) : ChangeFeed.none();
    }

    private static BsonObjectId objectId(RandomGenerator ids) {
        byte[] bytes = new byte[12];
        ids.nextBytes(bytes);
        return new BsonObjectId(new ObjectId(bytes));
    }
}
