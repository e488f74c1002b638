package org.mongolocks.study.simulation;

import static org.mongolocks.study.history.Event.Op.ACQUIRE;
import static org.mongolocks.study.history.Event.Op.LOST;
import static org.mongolocks.study.history.Event.Op.RELEASE;
import static org.mongolocks.study.history.Event.Phase.FAIL;
import static org.mongolocks.study.history.Event.Phase.INFO;
import static org.mongolocks.study.history.Event.Phase.INVOKE;
import static org.mongolocks.study.history.Event.Phase.OK;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.bson.BsonObjectId;
import org.bson.types.ObjectId;
import org.mongolocks.ClientSettings;
import org.mongolocks.Lease;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockRequest;
import org.mongolocks.Owner;
import org.mongolocks.internal.Acquisition;
import org.mongolocks.internal.ChangeFeed;
import org.mongolocks.internal.Hold;
import org.mongolocks.internal.Holds;
import org.mongolocks.internal.WaitingRoom;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.Reply;
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
        this.renewals = new Renewals(world, id, driver, process);
        this.holds = new Holds(settings, process.timer(), task -> process.after(0, task), renewals);
    }

    SimulatedProcess process() {
        return process;
    }

    int id() {
        return id;
    }

    boolean heedsLease() {
        return habits.isShipped();
    }

    /** Acquires; goes on with the lock, or without. */
    void acquire(Duration waitAtMost, Consumer<Optional<Holding>> then) {
        LockRequest request = new LockRequest(World.LOCK, Techniques.TTL, waitAtMost);
        Attempt attempt = new Attempt(habits.isKeptAlive() ? request.keepAlive() : request, then);
        attempt.begin();
    }

    Duration patience() {
        return habits.waitAtMost();
    }

    /** Releases; goes on, however it ends. */
    void release(Holding holding, Runnable then) {
        line(RELEASE, INVOKE, holding.grant()).decided(holding.token(), 0).add();
        Runner runner = new Runner(driver, process, Purpose.RELEASE);
        runner.run(() -> room.freeing(World.LOCK, holding.hold().releasing(settings)), new Runner.Ending<>() {
            @Override
            public void done(Boolean released) {
                ended(released ? OK : FAIL, runner.lastCommit());
            }

            @Override
            public void failed(Reply.Failed failure) {
                ended(INFO, 0);
            }

            private void ended(Phase phase, long commit) {
                runner.close();
                line(RELEASE, phase, holding.grant())
                        .decided(holding.token(), commit)
                        .add();
                then.run();
            }
        });
    }

    Recorder.Line line(Op op, Phase phase, int grant) {
        return world.recorder().line(id, op, phase).grant(grant);
    }

    private Driver driver(RandomGenerator ids) {
        DriverHabits driverHabits = new DriverHabits(habits.isShipped(), settings.commandTimeout(), habits.isShipped());
        Pool pool = new Pool(world.environment().connections());
        Surroundings surroundings = new Surroundings(id, process, pool, driverHabits, world);
        LockSchema schema = settings.strategy().schema();
        Commands commands =
                new Commands(name -> schema.resolve(name, /* base= */ settings.collection()), () -> objectId(ids));
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

    /** Is one acquisition, as the clients' acquirers have it. */
    private final class Attempt implements Runner.Ending<LockOutcome> {
        private final int grant = world.newGrant();
        private final LockRequest request;
        private final Consumer<Optional<Holding>> then;
        private final Acquisition acquisition;
        private final Runner runner = new Runner(driver, process, Purpose.ACQUIRE);
        private boolean over;

        Attempt(LockRequest request, Consumer<Optional<Holding>> then) {
            this.request = request;
            this.then = then;
            this.acquisition =
                    new Acquisition(settings, request, new Owner(settings.instance(), Chance.uuid(owners)), room);
        }

        void begin() {
            line(ACQUIRE, INVOKE, grant).add();
            world.interruptAfter(id).ifPresent(wait -> process.after(wait.toNanos(), this::interrupt));
            runner.run(acquisition::start, this);
        }

        /** What the server may have granted is taken back, in the same session. */
        private void interrupt() {
            if (!over) {
                over = true;
                runner.stop(this::takeBack);
            }
        }

        private void takeBack() {
            if (acquisition.mayHold()) {
                runner.run(acquisition::takeBack, new TakingBack());
            } else {
                nothing(FAIL, "interrupted");
            }
        }

        private void nothing(Phase phase, String note) {
            end();
            line(ACQUIRE, phase, grant).note(note).add();
            then.accept(Optional.empty());
        }

        /** Is how it ends when it was interrupted. */
        private final class TakingBack implements Runner.Ending<Boolean> {
            @Override
            public void done(Boolean wasHeld) {
                nothing(habits.isShipped() ? FAIL : INFO, "interrupted and taken back");
            }

            @Override
            public void failed(Reply.Failed failure) {
                nothing(INFO, "interrupted");
            }
        }

        @Override
        public void done(LockOutcome outcome) {
            if (outcome instanceof LockOutcome.Acquired acquired) {
                end();
                held(acquired.lease());
            } else {
                nothing(outcome instanceof LockOutcome.Contended ? FAIL : INFO, "");
            }
        }

        /** The library has taken back what it may have got; an article takes nothing back. */
        @Override
        public void failed(Reply.Failed failure) {
            nothing(habits.isShipped() ? FAIL : INFO, failure.fault().name());
        }

        private void end() {
            over = true;
            acquisition.end();
            runner.close();
        }

        private void held(Lease lease) {
            Duration margin = settings.holding().marginFor(request.ttl());
            long from = process.clock()
                    .realTimeOf(
                            lease.validUntilNanos() + margin.minus(lease.ttl()).toNanos());
            line(ACQUIRE, OK, grant)
                    .decided(lease.fencingToken(), runner.lastCommit())
                    .lease(from, until(lease))
                    .add();
            Hold hold = holds.add(request, lease).orElseThrow();
            hold.onLost(
                    (lost, reason) -> line(LOST, OK, grant).note(reason.name()).add());
            Holding holding = new Holding(grant, hold, lease.fencingToken(), runner.lastCommit());
            renewals.follow(holding, this::until);
            then.accept(Optional.of(holding));
        }

        private long until(Lease lease) {
            return habits.isShipped() ? process.clock().realTimeOf(lease.validUntilNanos()) : Long.MAX_VALUE;
        }
    }
}
