package org.mongolocks.study.simulation;

import com.mongodb.MongoException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.run.ConnectionShortage;
import org.mongolocks.internal.wait.EventLag;
import org.mongolocks.internal.run.WriteGuard;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.SchemaOp;

/** The driver of one client, with its port: sends and retries commands as the real driver does. */
final class Driver {
    private static final Reply ACKNOWLEDGED = new Reply.Acknowledged();

    private final Surroundings surroundings;
    private final Commands commands;
    private final RandomGenerator ids;
    private final WriteGuard guard = new WriteGuard();
    private final Deque<Session> sessions = new ArrayDeque<>();
    private Optional<EventLag> lag = Optional.empty();
    private Optional<ConnectionShortage> shortage = Optional.empty();

    Driver(Surroundings surroundings, Commands commands, RandomGenerator ids) {
        this.surroundings = surroundings;
        this.commands = commands;
        this.ids = ids;
    }

    /** Sets the listener for the server's logical time, as the clients' ports do. */
    void heardBy(EventLag measure) {
        lag = Optional.of(measure);
    }

    /** Sets the listener for the beginning and end of each command, as the clients' ports do. */
    void watchedBy(ConnectionShortage watch) {
        shortage = Optional.of(watch);
    }

    Session open() {
        Session known = sessions.poll();
        Session session = known == null ? new Session(Chance.uuid(ids)) : known;
        session.limit(Optional.empty());
        session.serve(0);
        return session;
    }

    void close(Session session) {
        if (!session.isDirty()) {
            sessions.push(session);
        }
    }

    /** Executes an operation, as the clients' ports do. */
    void send(Session session, Purpose purpose, MongoOp op, Consumer<Reply> then) {
        Optional<Reply> refused = session.limit().flatMap(limit -> limit.refused(op));
        if (refused.isPresent()) {
            then.accept(refused.get());
            return;
        }
        if (op instanceof MongoOp.Transaction transaction && isLocal(session, transaction)) {
            then.accept(ACKNOWLEDGED);
            return;
        }
        WriteGuard.Sending sending = guard.begin(op, session::transactionNumber, session.isInTransaction());
        Exchange.Order order = new Exchange.Order(purpose, op.label(), kindOf(op), op.accept(commands));
        shortage.ifPresent(ConnectionShortage::commandBegan);
        new Exchange(surroundings, session, order, result -> {
                    shortage.ifPresent(ConnectionShortage::commandEnded);
                    if (op instanceof MongoOp.Transaction) {
                        session.end();
                    }
                    if (session.isDirty()) {
                        session.limit().ifPresent(TimeLimit::noteRepeated);
                    }
                    Reply reply = reply(op, sending, result);
                    lag.ifPresent(measure -> measure.heard(reply, operationTime(result)));
                    then.accept(reply);
                })
                .begin();
    }

    /** Sends a command that is not an operation of a strategy. */
    void send(Exchange.Order order, Consumer<Exchange.Result> then) {
        Session session = open();
        new Exchange(surroundings, session, order, result -> {
                    close(session);
                    then.accept(result);
                })
                .begin();
    }

    private static Exchange.Kind kindOf(MongoOp op) {
        if (op instanceof MongoOp.Transaction transaction) {
            return transaction.boundary() == Boundary.COMMIT ? Exchange.Kind.COMMIT : Exchange.Kind.ABORT;
        }
        if (op instanceof SchemaOp) {
            return Exchange.Kind.CURSOR;
        }
        if (op instanceof MongoOp.Hello || op instanceof MongoOp.FindOne || op instanceof MongoOp.FindMany) {
            return Exchange.Kind.READ;
        }
        return op instanceof MongoOp.UpdateEach ? Exchange.Kind.BULK_WRITE : Exchange.Kind.WRITE;
    }

    /** Returns whether nothing is sent: for a start, and for the end of a transaction without statements. */
    private static boolean isLocal(Session session, MongoOp.Transaction transaction) {
        if (transaction.boundary() == Boundary.START) {
            session.start();
            return true;
        }
        boolean nothingToEnd =
                !session.hasBegun() || (transaction.boundary() == Boundary.ABORT && !session.isInTransaction());
        if (nothingToEnd) {
            session.end();
        }
        return nothingToEnd;
    }

    private static @Nullable BsonTimestamp operationTime(Exchange.Result result) {
        return result.reply()
                .filter(reply -> reply.isTimestamp("operationTime"))
                .map(reply -> reply.getTimestamp("operationTime"))
                .orElse(null);
    }

    /** A failed abort is not reported. */
    private static Reply reply(MongoOp op, WriteGuard.Sending sending, Exchange.Result result) {
        boolean isAbort = op instanceof MongoOp.Transaction transaction && transaction.boundary() == Boundary.ABORT;
        if (isAbort) {
            return ACKNOWLEDGED;
        }
        if (result.error().isPresent()) {
            MongoException error = result.error().get();
            return sending.failed(error);
        }
        sending.answered();
        return Answers.of(op, result.reply().orElseGet(BsonDocument::new));
    }
}
