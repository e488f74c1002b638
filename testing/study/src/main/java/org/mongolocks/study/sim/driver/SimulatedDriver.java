package org.mongolocks.study.sim.driver;

import com.mongodb.MongoException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.bson.BsonDocument;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.Reply;
import org.mongolocks.study.sim.net.Commands;
import org.mongolocks.study.sim.net.Network.Purpose;
import org.mongolocks.study.sim.time.SeededRandom;
import org.mongolocks.study.technique.ClientMistake;

/** The driver of one client, with its port: sends and retries commands as the real driver does. */
public final class SimulatedDriver {
    private static final Reply ACKNOWLEDGED = new Reply.Acknowledged();

    private final ClientContext context;
    private final Commands commands;
    private final ClientRuns runs;
    private final RandomGenerator ids;
    private final Deque<SimulatedSession> sessions = new ArrayDeque<>();

    public SimulatedDriver(ClientContext context, Commands commands, ClientRuns runs, RandomGenerator ids) {
        this.context = context;
        this.commands = commands;
        this.runs = runs;
        this.ids = ids;
    }

    public SimulatedSession open() {
        SimulatedSession known = sessions.poll();
        SimulatedSession session = known == null ? new SimulatedSession(SeededRandom.uuid(ids)) : known;
        session.limit(Optional.empty());
        session.serve(0);
        return session;
    }

    public void close(SimulatedSession session) {
        if (!session.isDirty()) {
            sessions.push(session);
        }
    }

    public ClientRuns runs() {
        return runs;
    }

    /** Returns the mistake of the client. */
    public ClientMistake mistake() {
        return context.config().mistake();
    }

    /** Executes an operation, as the clients' ports do. */
    public void send(SimulatedSession session, Purpose purpose, MongoOp asked, Consumer<Reply> then) {
        MongoOp op = mistake().sent(purpose, asked, context.process().clock().millis());
        if (op instanceof MongoOp.Transaction transaction && session.handles(transaction.boundary())) {
            then.accept(ACKNOWLEDGED);
            return;
        }
        ClientRuns.Command command =
                runs.begin(op, session::transactionNumber, session.isInTransaction(), runs.nanoTime());
        CommandExchange.Order order =
                new CommandExchange.Order(purpose, op.label(), CommandExchange.Kind.of(op), commands.visit(op));
        new CommandExchange(context, session, order, result -> {
                    command.ended();
                    if (op instanceof MongoOp.Transaction) {
                        session.end();
                    }
                    if (session.isDirty()) {
                        session.limit().ifPresent(TimeLimit::noteRepeated);
                    }
                    then.accept(mistake().received(purpose, op, reply(op, command, result)));
                })
                .begin();
    }

    /** Sends a command that is not an operation of a strategy. */
    void send(CommandExchange.Order order, Consumer<CommandExchange.Result> then) {
        SimulatedSession session = open();
        send(session, order, result -> {
            close(session);
            then.accept(result);
        });
    }

    /** Sends such a command in a session that stays open: a cursor belongs to the session that opened it. */
    void send(SimulatedSession session, CommandExchange.Order order, Consumer<CommandExchange.Result> then) {
        new CommandExchange(context, session, order, then).begin();
    }

    /** A failed abort is not reported. */
    public static Reply reply(MongoOp op, ClientRuns.Command command, CommandExchange.Result result) {
        boolean isAbort = op instanceof MongoOp.Transaction transaction && transaction.boundary() == Boundary.ABORT;
        if (isAbort) {
            return ACKNOWLEDGED;
        }
        if (result.error().isPresent()) {
            MongoException error = result.error().get();
            return command.failed(error);
        }
        Reply reply = ReplyReader.of(op, result.reply().orElseGet(BsonDocument::new));
        command.answered(reply);
        return reply;
    }

    /**
     * The context of a client's exchanges with the server.
     *
     * @param pool its connection pool
     * @param config its driver settings
     */
    public record ClientContext(
            int client, SimulatedProcess process, Pool pool, DriverConfig config, SimulatedWorld world) {}

    /**
     * The driver settings of a client.
     *
     * @param hasTimeLimit whether operations have a timeout, within which the driver retries without limit; otherwise it
     *     retries once, and {@code timeout} is the socket timeout
     * @param awaitsMajority whether writes wait for a majority
     * @param mistake the mistake of the client
     */
    public record DriverConfig(boolean hasTimeLimit, Duration timeout, boolean awaitsMajority, ClientMistake mistake) {

        /** Creates the settings of a client that makes no mistake. */
        public DriverConfig(boolean hasTimeLimit, Duration timeout, boolean awaitsMajority) {
            this(hasTimeLimit, timeout, awaitsMajority, ClientMistake.NONE);
        }
    }
}
