package org.mongolocks.sync;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.MongoIterable;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.result.UpdateResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.DaemonThreads;
import org.mongolocks.internal.run.DriverOptions;
import org.mongolocks.internal.run.FaultClassifier;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.OperationVisitor;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.sync.DriverSessions.Opened;
import org.mongolocks.sync.StepRunner.InterruptPolicy;

/** The executor of operations on the synchronous driver, in one session. It does not interpret replies. */
final class SyncPort implements OperationVisitor<Reply> {
    private static final Reply ACKNOWLEDGED = new Reply.Acknowledged();

    private final DriverSessions driver;
    private final ClientRuns runs;
    private final TimeBudget limit;
    private final LockTask task;
    private @Nullable ClientSession session;
    private @Nullable MongoDatabase database;
    /** The driver refuses the session: its client was replaced, and may be closed. */
    private boolean isRefused;

    private boolean committed;
    private long transactionBegun;

    SyncPort(DriverSessions driver, ClientRuns runs, TimeBudget limit, LockTask task) {
        this.driver = driver;
        this.runs = runs;
        this.limit = limit;
        this.task = task;
    }

    ClientRuns runs() {
        return runs;
    }

    /** Returns the time limit of the run. */
    TimeBudget limit() {
        return limit;
    }

    /** Executes an operation; a fault of the server or of the connection is a reply, unless it aborts the run. */
    <X extends Exception> Reply send(MongoOp op, InterruptPolicy<X> interrupts) throws X {
        Optional<Reply.Failed> closed = isReadyFor(op) ? Optional.empty() : open();
        if (closed.isPresent()) {
            return closed.get();
        }
        resetCommittedSession(op);
        ClientRuns.Command command =
                runs.begin(op, this::transactionNumber, session().hasActiveTransaction(), runs.nanoTime());
        try {
            return reply(command, interrupts, refusal -> refused(command, refusal), () -> visit(op));
        } finally {
            noteRepeated();
        }
    }

    /** After the driver's client was replaced another session is needed, which neither continues nor ends a transaction. */
    private boolean isReadyFor(MongoOp op) {
        return session != null && !(isRefused && DriverOptions.mayBeginSession(op, session.hasActiveTransaction()));
    }

    /** Opens a session, in place of a former one. Returns the fault if the driver's client is closed. */
    Optional<Reply.Failed> open() {
        try {
            Opened another = driver.open();
            close();
            session = another.session();
            database = another.database();
            isRefused = false;
            committed = false;
            return Optional.empty();
        } catch (IllegalStateException e) {
            return Optional.of(runs.driverClosed(task, e));
        }
    }

    /** A late command of the former session may still be executed: the new one does not prevent that. */
    private Reply refused(ClientRuns.Command command, IllegalStateException refusal) {
        Optional<Reply.Failed> meaning = refusal(refusal, command::replaced, command::refused);
        limit.noteRepeated();
        return meaning.orElseThrow(() -> refusal);
    }

    /** Returns what it means that the work in the session failed, if the driver's client was replaced or closed. */
    Optional<Reply.Failed> refusal(Exception failure) {
        return FaultClassifier.causes(failure)
                .filter(IllegalStateException.class::isInstance)
                .findFirst()
                .flatMap(e -> refusal(
                        (IllegalStateException) e,
                        ClientRuns::driverReplaced,
                        closed -> runs.driverClosed(task, closed)));
    }

    private Optional<Reply.Failed> refusal(
            IllegalStateException refusal,
            Function<IllegalStateException, Reply.Failed> replaced,
            Function<IllegalStateException, Reply.Failed> closed) {
        try {
            isRefused = driver.isReplaced(session());
        } catch (IllegalStateException e) {
            return Optional.of(closed.apply(refusal));
        }
        return isRefused ? Optional.of(replaced.apply(refusal)) : Optional.empty();
    }

    /** Closes the session, if one was opened. */
    void close() {
        if (session != null) {
            session.close();
        }
    }

    /** Returns the session, in which an operation was sent. */
    ClientSession session() {
        return Objects.requireNonNull(session, "Nothing was sent");
    }

    private MongoDatabase database() {
        return Objects.requireNonNull(database, "Nothing was sent");
    }

    /** Sends a command; a fault of the server or of the connection is a reply, unless it aborts the run. */
    static <X extends Exception> Reply reply(
            ClientRuns.Command command,
            InterruptPolicy<X> interrupts,
            Function<IllegalStateException, Reply> refused,
            Supplier<Reply> sending)
            throws X {
        try {
            Reply reply = sending.get();
            command.answered(reply);
            return reply;
        } catch (MongoInterruptedException e) {
            interrupts.onInterrupted(e);
            return command.failed(e);
        } catch (MongoException e) {
            return command.failed(e);
        } catch (BSONException e) {
            return command.notEncoded(e);
        } catch (NullPointerException e) {
            return command.broken(e);
        } catch (IllegalStateException e) {
            return refused.apply(e);
        } finally {
            command.ended();
        }
    }

    /**
     * Locks are written durably and read from the primary, in bounded time, whatever the settings of the user's client.
     */
    static MongoDatabase durable(MongoDatabase database, Duration commandTimeout) {
        return untimed(database).withTimeout(commandTimeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The same without a time limit, for change streams. */
    static MongoDatabase untimed(MongoDatabase database) {
        return database.withCodecRegistry(MongoClientSettings.getDefaultCodecRegistry())
                .withWriteConcern(DriverOptions.DURABLE)
                .withReadConcern(ReadConcern.LOCAL)
                .withReadPreference(ReadPreference.primary());
    }

    /** Returns a collection of the user for BSON, with the same settings, whatever its own are. */
    static MongoCollection<BsonDocument> durable(MongoCollection<?> collection, CodecRegistry codecs) {
        return collection
                .withDocumentClass(BsonDocument.class)
                .withCodecRegistry(codecs)
                .withWriteConcern(DriverOptions.DURABLE)
                .withReadPreference(ReadPreference.primary())
                .withReadConcern(ReadConcern.LOCAL);
    }

    @Override
    public Reply insertOne(MongoOp.InsertOne op) {
        collection(op.collection()).insertOne(session(), op.document());
        return ACKNOWLEDGED;
    }

    @Override
    public Reply findOne(MongoOp.FindOne op) {
        FindIterable<BsonDocument> found = collection(op.collection()).find(session(), op.filter());
        op.projection().ifPresent(found::projection);
        return new Reply.Found(Optional.ofNullable(found.first()));
    }

    /** The batch size is the limit and one more: then the server leaves no cursor open. */
    @Override
    public Reply findMany(MongoOp.FindMany op) {
        FindIterable<BsonDocument> found = collection(op.collection())
                .find(session(), op.filter())
                .sort(Sorts.ascending("_id"))
                .limit(op.limit())
                .batchSize(op.limit() + 1);
        op.projection().ifPresent(found::projection);
        return new Reply.FoundMany(found.into(new ArrayList<>()));
    }

    @Override
    public Reply updateOne(MongoOp.UpdateOne op) {
        MongoCollection<BsonDocument> collection = collection(op.collection());
        UpdateOptions options = new UpdateOptions().upsert(op.upsert());
        UpdateResult result = op.change()
                .fold(
                        operators -> collection.updateOne(session(), op.filter(), operators, options),
                        stages -> collection.updateOne(session(), op.filter(), stages, options));
        return new Reply.Counted(result.getMatchedCount(), result.getUpsertedId() != null);
    }

    @Override
    public Reply updateEach(MongoOp.BulkUpdate op) {
        List<UpdateOneModel<BsonDocument>> updates =
                op.updates().stream().map(DriverOptions::model).toList();
        BulkWriteOptions inAnyOrder = new BulkWriteOptions().ordered(false);
        BulkWriteResult result = collection(op.collection()).bulkWrite(session(), updates, inAnyOrder);
        return new Reply.Counted(result.getMatchedCount(), false);
    }

    @Override
    public Reply findOneAndUpdate(MongoOp.FindOneAndUpdate op) {
        MongoCollection<BsonDocument> collection = collection(op.collection());
        FindOneAndUpdateOptions options =
                new FindOneAndUpdateOptions().upsert(op.upsert()).returnDocument(ReturnDocument.AFTER);
        op.projection().ifPresent(options::projection);
        BsonDocument after = op.change()
                .fold(
                        operators -> collection.findOneAndUpdate(session(), op.filter(), operators, options),
                        stages -> collection.findOneAndUpdate(session(), op.filter(), stages, options));
        return new Reply.Found(Optional.ofNullable(after));
    }

    @Override
    public Reply deleteOne(MongoOp.DeleteOne op) {
        long deleted =
                collection(op.collection()).deleteOne(session(), op.filter()).getDeletedCount();
        return new Reply.Counted(deleted, false);
    }

    @Override
    public Reply transaction(MongoOp.Transaction op) {
        switch (op.boundary()) {
            case START -> start();
            case COMMIT -> commit();
            case ABORT -> abort();
        }
        return ACKNOWLEDGED;
    }

    @Override
    public Reply hello(MongoOp.Hello op) {
        BsonDocument command = new BsonDocument(op.command(), new BsonInt32(1));
        return Reply.Found.of(database().runCommand(session(), command, ReadPreference.primary(), BsonDocument.class));
    }

    @Override
    public Reply readSchema(MongoOp.ReadSchema op) {
        String name = runs.collection(op.collection());
        MongoIterable<BsonDocument> found =
                switch (op.part()) {
                    case OPTIONS ->
                        database()
                                .listCollections(session(), BsonDocument.class)
                                .filter(Filters.eq("name", name));
                    case INDEXES -> collection(op.collection()).listIndexes(session(), BsonDocument.class);
                    case SHARD_KEY ->
                        driver.otherDatabase("config")
                                .getCollection("collections", BsonDocument.class)
                                .find(
                                        session(),
                                        DriverOptions.sharded(database().getName(), name));
                };
        return new Reply.FoundMany(found.into(new ArrayList<>()));
    }

    @Override
    public Reply createCollection(MongoOp.CreateCollection op) {
        String name = op.collection().name();
        op.collection()
                .ttl()
                .ifPresentOrElse(
                        ttl -> collection(name)
                                .createIndex(session(), Indexes.ascending(ttl.field()), DriverOptions.index(ttl)),
                        () -> database().createCollection(session(), runs.collection(name)));
        return ACKNOWLEDGED;
    }

    /**
     * Ends a transaction that is open. The driver does not report a failure, nor that an interrupt stopped it from
     * sending the command; the transaction would then block others from its documents until the server ends it. So the
     * command is sent on another thread, which an interrupt of this one does not reach.
     */
    void abort() {
        if (session != null && session.hasActiveTransaction()) {
            String name = "mongo-locks-abort-for-" + Thread.currentThread().getName();
            CompletableFuture.runAsync(
                            session()::abortTransaction,
                            work -> DaemonThreads.thread(name, work).start())
                    .join();
        }
    }

    /** A commit that was not sent, because its time was over, has left its transaction open. */
    private void start() {
        abort();
        committed = false;
        session().startTransaction(DriverOptions.transaction(limit));
        transactionBegun = transactionNumber();
    }

    /** Returns whether the transaction that was begun last is open: the user's code has not ended it. */
    boolean isTransactionOpen() {
        return session != null && session.hasActiveTransaction() && transactionNumber() == transactionBegun;
    }

    private void commit() {
        committed = true;
        session().commitTransaction();
    }

    /**
     * The driver applies the time limit of a commit to later operations in the session, where it may have passed
     * already. An empty transaction, of which nothing is sent, resets that.
     */
    private void resetCommittedSession(MongoOp op) {
        if (committed && !(op instanceof MongoOp.Transaction)) {
            committed = false;
            session().startTransaction(DriverOptions.transaction(limit));
            session().abortTransaction();
        }
    }

    /** The driver marks a session after a network error, and sends the command again. */
    private void noteRepeated() {
        if (session().getServerSession().isMarkedDirty()) {
            limit.noteRepeated();
        }
    }

    private long transactionNumber() {
        return session().getServerSession().getTransactionNumber();
    }

    /** The statements of a transaction share its time limit, and may have no other. */
    private MongoCollection<BsonDocument> collection(String name) {
        MongoCollection<BsonDocument> collection = database().getCollection(runs.collection(name), BsonDocument.class);
        return session().hasActiveTransaction()
                ? collection
                : limit.remainingIfShorter()
                        .map(time -> collection.withTimeout(time.toMillis(), TimeUnit.MILLISECONDS))
                        .orElse(collection);
    }
}
