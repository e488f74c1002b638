package org.mongolocks.study.simulation;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.bson.BsonObjectId;
import org.bson.types.ObjectId;
import org.mongolocks.ClientSettings;
import org.mongolocks.LockRequest;
import org.mongolocks.Owner;
import org.mongolocks.internal.ChangeFeed;
import org.mongolocks.internal.CommandLimit;
import org.mongolocks.internal.Holds;
import org.mongolocks.internal.WaitingRoom;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.Recorder;
import org.mongolocks.study.technique.Habits;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/** Is one client in its process: what the clients of the library are, with the engine that ships, in virtual time. */
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

    SimulatedClient(World world, Technique technique, World.Identity identity, ClockFault clockFault) {
        this.world = world;
        this.id = identity.id();
        this.habits = technique.habits();
        this.process = new SimulatedProcess(
                world.time(), new ClientClock(world.time(), clockFault), identity.source("waking"));
        this.settings = SimulatedSettings.of(technique, process, "client-" + id, identity.source("jitter"));
        this.owners = identity.source("owners");
        this.driver = driver(identity.source("ids"));
        this.room = new WaitingRoom(settings, feed());
        this.renewals = new Renewals(world, id, () -> runner(Purpose.RENEW));
        this.holds = new Holds(settings, process.timer(), task -> process.after(0, task), renewals);
    }

    SimulatedProcess process() {
        return process;
    }

    int id() {
        return id;
    }

    /** Tells whether it is run as the library runs it; otherwise nobody heeds the end of a lease, for one. */
    boolean isShipped() {
        return habits.isShipped();
    }

    /** Acquires; goes on with the lock, or without. */
    void acquire(Duration waitAtMost, Consumer<Optional<Holding>> then) {
        LockRequest request = new LockRequest(World.LOCK, Techniques.TTL, waitAtMost);
        new Attempt(this, habits.isKeptAlive() ? request.keepAlive() : request, then).begin();
    }

    Duration patience() {
        return habits.waitAtMost();
    }

    /** Releases; goes on, however it ends. */
    void release(Holding holding, Runnable then) {
        new GivingBack(this, holding, then).begin();
    }

    /** Writes in a transaction that the lock guards; goes on with whether the lock may be held yet. */
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

    Renewals renewals() {
        return renewals;
    }

    /** Runs what has no end of its own but the time limit of each command. */
    Runner runner(Purpose purpose) {
        return runner(purpose, CommandLimit.each(settings.commandTimeout()));
    }

    /** An article limits nothing. */
    Runner runner(Purpose purpose, CommandLimit limit) {
        return new Runner(driver, process, purpose, Optional.of(limit).filter(each -> isShipped()));
    }

    Owner newOwner() {
        return new Owner(settings.instance(), Chance.uuid(owners));
    }

    Recorder.Line line(Op op, Phase phase, int grant) {
        return world.recorder().line(id, op, phase).grant(grant);
    }

    private Driver driver(RandomGenerator ids) {
        DriverHabits driverHabits = new DriverHabits(habits.isShipped(), settings.commandTimeout(), habits.isShipped());
        Pool pool = new Pool(world.environment().connections());
        Surroundings surroundings = new Surroundings(id, process, pool, driverHabits, world);
        LockSchema schema = settings.strategy().schema();
        Commands commands = new Commands(
                name -> name.equals(Ledger.COLLECTION)
                        ? name
                        : schema.resolve(name, /* base= */ settings.collection()),
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
