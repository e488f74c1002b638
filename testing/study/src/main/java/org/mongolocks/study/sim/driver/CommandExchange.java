package org.mongolocks.study.sim.driver;

import com.mongodb.MongoException;
import com.mongodb.MongoSocketException;
import de.bwaldvogel.mongo.bson.Document;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.study.sim.driver.SimulatedDriver.ClientContext;
import org.mongolocks.study.sim.net.BsonConversion;
import org.mongolocks.study.sim.net.Network.Message;
import org.mongolocks.study.sim.net.Network.MessageFate;
import org.mongolocks.study.sim.net.Network.Purpose;
import org.mongolocks.study.sim.server.SimulatedServer;
import org.mongolocks.study.sim.server.SimulatedServer.Request;
import org.mongolocks.study.sim.time.VirtualTime;

/** One operation in the driver: waits for a connection, is sent, and gets a reply, times out, or is retried. */
public final class CommandExchange {
    private static final String RETRYABLE_WRITE_ERROR = "RetryableWriteError";
    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(2).toNanos();
    private static final int MAX_DOUBLINGS = 8;

    private final ClientContext context;
    private final SimulatedSession session;
    private final Order order;
    private final Consumer<Result> then;
    private final boolean inTransaction;
    private final boolean isEnd;
    private VirtualTime.@Nullable Due limit;
    private Pool.@Nullable Waiter waiter;
    private @Nullable Document command;
    private WireTrace.Sending sent = WireTrace.UNHEARD;
    private int sendings;
    private Pool.@Nullable Connection connection;
    private boolean over;

    /** How the driver treats a command. */
    public enum Kind {
        /** Retried. */
        READ,
        /** Reads from a cursor or changes the schema; not retried. */
        CURSOR,
        /** Retried if the driver retries writes. */
        WRITE,
        /** Like a write, with a reply that lists all failures. */
        BULK_WRITE,
        /** Always retried. */
        COMMIT,
        /** Always retried. */
        ABORT;

        /** Returns how the driver treats an operation. */
        public static Kind of(MongoOp op) {
            if (op instanceof MongoOp.Transaction transaction) {
                return transaction.boundary() == Boundary.COMMIT ? COMMIT : ABORT;
            }
            if (op instanceof MongoOp.ReadSchema || op instanceof MongoOp.CreateCollection) {
                return CURSOR;
            }
            if (op instanceof MongoOp.Hello || op instanceof MongoOp.FindOne || op instanceof MongoOp.FindMany) {
                return READ;
            }
            return op instanceof MongoOp.BulkUpdate ? BULK_WRITE : WRITE;
        }

        public boolean isEnd() {
            return this == COMMIT || this == ABORT;
        }

        public boolean isWrite() {
            return this == WRITE || this == BULK_WRITE;
        }
    }

    /** A command to be sent, with its purpose. */
    public record Order(Purpose purpose, String label, Kind kind, BsonDocument command) {}

    /** The result: the reply of a success, or an error. */
    public record Result(Optional<BsonDocument> reply, Optional<MongoException> error) {}

    CommandExchange(ClientContext context, SimulatedSession session, Order order, Consumer<Result> then) {
        this.context = context;
        this.session = session;
        this.order = order;
        this.then = then;
        this.isEnd = order.kind().isEnd();
        this.inTransaction = session.isInTransaction() || isEnd;
    }

    /** Starts the timeout, which is that of the whole operation, or that of each sending. */
    void begin() {
        if (limit == null || !hasTimeLimit()) {
            forgetLimit();
            limit = after(timeLimit(), this::silent);
        }
        waiter = context.pool().take(this::send);
    }

    private Duration timeLimit() {
        Duration usual = context.config().timeout();
        return session.limit()
                .map(limits ->
                        isEnd ? limits.ofEnd() : (inTransaction ? limits.ofStatement() : limits.ofCommand(usual)))
                .orElse(usual);
    }

    private void send(Pool.Connection on) {
        connection = on;
        sendings++;
        SimulatedWorld world = context.world();
        world.countCommand(order.purpose());
        int mine = sendings;
        Request request = request();
        sent = world.trace().sent(context.client(), session.grant(), order, sendings);
        WireTrace.Sending listener = sent;
        listener.request(world.network()
                .send(
                        message(false, on),
                        () -> arrived(mine, request, listener, on),
                        () -> soon(mine, DriverExceptions.reset())));
    }

    private Message message(boolean isReply, Pool.Connection on) {
        return new Message(context.client(), order.purpose(), isReply, order.label(), sendings, on.isStale());
    }

    private Request request() {
        return new Request(context.client(), command(), awaitsMajority(), execution());
    }

    /** The driver numbers a write when it has a connection for it, and sends the same number in a retry. */
    private Document command() {
        if (command == null) {
            if (inTransaction) {
                session.intoTransaction(order.command());
            } else {
                session.into(order.command(), isNumbered());
            }
            command = BsonConversion.toServer(order.command());
        }
        return command;
    }

    private boolean isNumbered() {
        return isWrite() && context.world().environment().retryWrites();
    }

    private boolean isWrite() {
        return order.kind().isWrite();
    }

    private boolean awaitsMajority() {
        boolean asked = context.config().awaitsMajority()
                && !context.world().environment().weakForAll();
        return asked && (inTransaction ? isEnd : isWrite());
    }

    private Optional<Object> execution() {
        boolean repeats = inTransaction ? isEnd : isNumbered();
        return repeats ? session.execution(isEnd) : Optional.empty();
    }

    private void arrived(int sending, Request request, WireTrace.Sending listener, Pool.Connection on) {
        listener.executed();
        context.world().server().execute(request, executed -> {
            SimulatedWorld world = context.world();
            listener.replied(executed.reply());
            if (executed.reply().isEmpty()) {
                soon(sending, DriverExceptions.reset());
                return;
            }
            Runnable arrives = () -> context.process().after(0, () -> {
                listener.received();
                answered(sending, executed);
            });
            listener.reply(
                    world.network().send(message(true, on), arrives, () -> soon(sending, DriverExceptions.reset())));
        });
    }

    private void soon(int sending, MongoException error) {
        context.process().after(0, () -> failed(sending, error));
    }

    private void answered(int sending, SimulatedServer.Executed executed) {
        if (over || sending != sendings) {
            return;
        }
        BsonDocument reply = BsonConversion.reply(executed.reply().orElseThrow());
        Optional<MongoException> error = DriverExceptions.of(order.kind(), reply);
        if (error.isPresent()) {
            failed(sending, error.get());
            return;
        }
        session.answered(executed.commit());
        end(new Result(Optional.of(reply), Optional.empty()));
    }

    private void failed(int sending, MongoException error) {
        if (over || sending != sendings) {
            return;
        }
        disconnect(!(error instanceof MongoSocketException));
        if (error instanceof MongoSocketException) {
            sent.givenUp();
            session.markDirty();
        }
        if (mayRepeat(error)) {
            long pause = FIRST_PAUSE_NANOS << Math.min(sendings, MAX_DOUBLINGS);
            after(Duration.ofNanos(pause), () -> again(sending));
        } else {
            end(new Result(Optional.empty(), Optional.of(labelled(error))));
        }
    }

    private void again(int sending) {
        if (!over && sending == sendings) {
            begin();
        }
    }

    private boolean mayRepeat(MongoException error) {
        boolean passes = error instanceof MongoSocketException || error.hasErrorLabel(RETRYABLE_WRITE_ERROR);
        boolean asked = inTransaction ? isEnd : (isNumbered() || order.kind() == Kind.READ);
        return passes && asked && (hasTimeLimit() || sendings < 2);
    }

    private void silent() {
        if (over || isHanging()) {
            return;
        }
        if (connection == null && sendings == 0) {
            end(new Result(Optional.empty(), Optional.of(DriverExceptions.noConnection())));
        } else if (hasTimeLimit()) {
            sent.givenUp();
            session.markDirty();
            disconnect(false);
            end(new Result(Optional.empty(), Optional.of(labelled(DriverExceptions.silence(true)))));
        } else {
            failed(sendings, DriverExceptions.silence(false));
        }
    }

    /** Commands of change streams are sent without a time limit: one without a reply hangs until its connection breaks. */
    private boolean isHanging() {
        return order.purpose() == Purpose.WATCH && connection != null;
    }

    private MongoException labelled(MongoException error) {
        return inTransaction ? DriverExceptions.inTransaction(error, order.kind() == Kind.COMMIT) : error;
    }

    private boolean hasTimeLimit() {
        return context.config().hasTimeLimit();
    }

    private void forgetLimit() {
        if (limit != null) {
            limit.cancel();
        }
    }

    private void end(Result result) {
        over = true;
        forgetLimit();
        if (waiter != null) {
            waiter.leave();
        }
        disconnect(true);
        then.accept(result);
    }

    private void disconnect(boolean isUsable) {
        Pool.Connection used = connection;
        if (used != null) {
            connection = null;
            context.pool().release(used, isUsable);
        }
    }

    private VirtualTime.Due after(Duration byItsClock, Runnable task) {
        return context.process().after(context.process().clock().realNanos(byItsClock), task);
    }

    /** A listener for sent commands. There is none unless the commands of a run are requested. */
    public interface WireTrace {
        /** Ignores the events of a sending. */
        Sending UNHEARD = new Sending() {};

        /** Ignores all commands. */
        WireTrace NOBODY = (client, grant, order, sending) -> UNHEARD;

        /** Called when a command is sent. */
        Sending sent(int client, int grant, Order order, int sending);

        /** The listener for one sending; some of its methods are called, or none. */
        interface Sending {
            /** The request is in flight. */
            default void request(MessageFate fate) {}

            /** The server has received it. */
            default void executed() {}

            /** The server has replied; empty if it was down, or went down. */
            default void replied(Optional<Document> reply) {}

            /** The reply is in flight. */
            default void reply(MessageFate fate) {}

            /** The reply has reached the client, which may have stopped waiting. */
            default void received() {}

            /** The client gets an error instead. */
            default void givenUp() {}
        }
    }
}
