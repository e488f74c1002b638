package org.mongolocks.study.sim.driver;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.types.ObjectId;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Reply;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.Workload;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.driver.SimulatedDriver.ClientContext;
import org.mongolocks.study.sim.driver.SimulatedDriver.DriverConfig;
import org.mongolocks.study.sim.driver.SimulatedWorld.RandomFaults;
import org.mongolocks.study.sim.net.Commands;
import org.mongolocks.study.sim.net.Network.Message;
import org.mongolocks.study.sim.net.Network.MessageFate;
import org.mongolocks.study.sim.net.Network.Purpose;
import org.mongolocks.study.sim.time.ClientClock;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.sim.time.SeededRandom;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;

/** A driver with a server, and messages whose fate a test determines. */
public final class DriverScene {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final SimulatedWorld world;
    private final SimulatedProcess process;
    private final List<Message> messages = new ArrayList<>();
    private final Pool connections;
    private final SimulatedDriver driver;
    final SimulatedSession session;
    private long others;

    public DriverScene(Environment environment, DriverConfig config, Function<Message, MessageFate> fates) {
        Workload nobody = new Workload(0, 0, DurationRange.millis(1, 1), DurationRange.millis(1, 1), LONG);
        RandomFaults faults = new RandomFaults() {
            @Override
            public MessageFate fate(Message message) {
                messages.add(message);
                return fates.apply(message);
            }
        };
        this.world = new SimulatedWorld(
                environment, nobody, LockUsage.ALONE, new SeededRandom(1), faults, (point, client) -> {});
        this.process = new SimulatedProcess(
                world.time(), new ClientClock(world.time(), ClockFault.NONE), new SeededRandom(1).source("waking"));
        this.connections = new Pool(environment.connections(), process, new Random(0));
        ClientContext context = new ClientContext(1, process, connections, config, world);
        this.driver = new SimulatedDriver(
                context,
                new Commands(name -> name, () -> new BsonObjectId(new ObjectId(new byte[12]))),
                new ClientRuns(
                        new ClientOptions<Object>(options -> options).settings(), new ConnectionShortage(() -> 0)),
                new SeededRandom(1).source("ids"));
        this.session = driver.open();
    }

    public static DriverConfig limited() {
        return new DriverConfig(true, Duration.ofSeconds(2), true);
    }

    static DriverConfig plain() {
        return new DriverConfig(false, Duration.ofSeconds(2), false);
    }

    /** Returns a network that loses the first message of a kind. */
    public static Function<Message, MessageFate> firstLost(boolean reply) {
        List<Message> lost = new ArrayList<>();
        return message -> {
            boolean hit = message.isReply() == reply && lost.isEmpty();
            if (hit) {
                lost.add(message);
            }
            return hit ? MessageFate.LOST : MessageFate.ARRIVES;
        };
    }

    /** Sends an operation, and lets time pass until the reply. */
    public Reply send(MongoOp op) {
        List<Reply> replies = begin(op);
        pass(Duration.ofSeconds(5));
        return replies.get(0);
    }

    /** Sends an operation. */
    List<Reply> begin(MongoOp op) {
        return begin(session, op);
    }

    /** Sends an operation in a session of its own, and lets time pass until the reply. */
    Reply inAnotherSession(MongoOp op) {
        List<Reply> replies = begin(new SimulatedSession(new UUID(0, ++others)), op);
        pass(Duration.ofSeconds(5));
        return replies.get(0);
    }

    private List<Reply> begin(SimulatedSession in, MongoOp op) {
        List<Reply> replies = new ArrayList<>();
        process.after(0, () -> driver.send(in, Purpose.ACQUIRE, op, replies::add));
        return replies;
    }

    /** Makes the connections of now stale. */
    void makeConnectionsStale() {
        connections.makeStale(0);
    }

    void pass(Duration time) {
        world.time().runUntil(world.nowNanos() + time.toNanos());
    }

    public SimulatedWorld world() {
        return world;
    }

    /** Returns how often a command was sent. */
    long sendings(String label) {
        return messages.stream()
                .filter(message -> !message.isReply() && message.label().equals(label))
                .count();
    }

    public static MongoOp count() {
        return new MongoOp.FindOneAndUpdate(
                "count",
                "c",
                BsonDocument.parse("{_id: 1}"),
                UpdateSpec.operators(BsonDocument.parse("{$inc: {n: NumberLong(1)}}")),
                true);
    }

    public static MongoOp insert(int id) {
        return new MongoOp.InsertOne("insert", "c", BsonDocument.parse("{_id: " + id + "}"));
    }

    public static MongoOp find() {
        return new MongoOp.FindOne("find", "c", BsonDocument.parse("{_id: 1}"), Optional.empty());
    }

    public static MongoOp transaction(Boundary boundary) {
        return new MongoOp.Transaction(boundary.name(), boundary);
    }

    static Reply found(String json) {
        return Reply.Found.of(BsonDocument.parse(json));
    }
}
