package org.mongolocks.reactive;

import com.mongodb.MongoClientException;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.result.UpdateResult;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.DriverOptions;
import org.mongolocks.internal.run.FaultClassifier;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.OperationVisitor;
import org.mongolocks.internal.run.Run;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The executor of operations on the reactive driver, in one session. It does not interpret replies. */
final class ReactivePort implements OperationVisitor<Mono<Reply>> {
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

    ReactivePort(DriverSessions driver, ClientRuns runs, TimeBudget limit, LockTask task) {
        this.driver = driver;
        this.runs = runs;
        this.limit = limit;
        this.task = task;
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

    /** Returns a run of this session that leaves its transaction open unless it fails. */
    <R> Run<R> keepingTransaction(LockTask of, Supplier<Step<R>> program) {
        return Run.keepingTransaction(runs, of, limit, program);
    }

    /** Executes an operation; a fault of the server or of the connection is a reply, never an error. */
    Mono<Reply> send(MongoOp op) {
        return Mono.defer(() -> isReadyFor(op) ? Mono.<Reply>empty() : open()).switchIfEmpty(sendInSession(op));
    }

    private Mono<Reply> sendInSession(MongoOp op) {
        return Mono.defer(() -> leaveCommitted(op)).then(Mono.defer(() -> {
            ClientRuns.Command command =
                    runs.begin(op, this::transactionNumber, session().hasActiveTransaction(), runs.nanoTime());
            return reply(
                            command,
                            refusal -> refused(command, refusal),
                            () -> visit(op).onErrorMap(ReactivePort::isBare, IllegalStateException::new))
                    .doOnNext(reply -> noteRepeated());
        }));
    }

    /** After the driver's client was replaced another session is needed, which neither continues nor ends a transaction. */
    private boolean isReadyFor(MongoOp op) {
        return session != null && !(isRefused && DriverOptions.mayBeginSession(op, session.hasActiveTransaction()));
    }

    /** Opens a session, in place of a former one. Emits the fault if the driver's client is closed. */
    private Mono<Reply> open() {
        return driver.open()
                .doOnNext(another -> {
                    close();
                    session = another.session();
                    database = another.database();
                    isRefused = false;
                    committed = false;
                })
                .then(Mono.<Reply>empty())
                .onErrorResume(IllegalStateException.class, e -> Mono.just(runs.driverClosed(task, e)));
    }

    /** A late command of the former session may still be executed: the new one does not prevent that. */
    private Mono<Reply> refused(ClientRuns.Command command, IllegalStateException refusal) {
        limit.noteRepeated();
        return refusal(refusal, command::replaced, command::refused)
                .<Reply>map(meaning -> meaning)
                .switchIfEmpty(Mono.defer(() -> refusal.getCause() instanceof MongoException failure
                        ? Mono.just(command.failed(failure))
                        : Mono.error(refusal)));
    }

    /** Emits what it means that the work in the session failed, if the driver's client was replaced or closed. */
    Mono<Reply.Failed> refusal(Throwable failure) {
        return Mono.justOrEmpty(FaultClassifier.causes(failure)
                        .filter(IllegalStateException.class::isInstance)
                        .findFirst())
                .flatMap(e -> refusal(
                        (IllegalStateException) e,
                        ClientRuns::driverReplaced,
                        closed -> runs.driverClosed(task, closed)));
    }

    private Mono<Reply.Failed> refusal(
            IllegalStateException refusal,
            Function<IllegalStateException, Reply.Failed> replaced,
            Function<IllegalStateException, Reply.Failed> closed) {
        return driver.isReplaced(session())
                .doOnNext(isReplaced -> isRefused = isReplaced)
                .filter(isReplaced -> isReplaced)
                .map(isReplaced -> replaced.apply(refusal))
                .onErrorResume(IllegalStateException.class, e -> Mono.just(closed.apply(refusal)));
    }

    /** Closes the session, if one was opened, after {@link #abort}. The driver logs an error if it cannot abort. */
    void close() {
        if (session != null && !session.hasActiveTransaction()) {
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

    /** Sends a command; a fault of the server or of the connection is a reply, never an error. */
    static Mono<Reply> reply(
            ClientRuns.Command command,
            Function<IllegalStateException, Mono<Reply>> refused,
            Supplier<Mono<Reply>> sending) {
        return Mono.defer(() -> FatalErrors.call(sending))
                .doOnNext(reply -> FatalErrors.run(() -> command.answered(reply)))
                .doFinally(signal -> command.ended())
                .onErrorResume(MongoException.class, e -> Mono.just(command.failed(e)))
                .onErrorResume(BSONException.class, e -> Mono.just(command.notEncoded(e)))
                .onErrorResume(NullPointerException.class, e -> Mono.just(command.broken(e)))
                .onErrorResume(IllegalStateException.class, refused);
    }

    /** A client that is closed ends the commands that wait for a server by an exception that says nothing but a text. */
    private static boolean isBare(Throwable failure) {
        return failure.getClass().equals(MongoClientException.class)
                && failure.getCause() == null
                && ((MongoException) failure).getErrorLabels().isEmpty();
    }

    /** Ends a transaction that is open; neither a failure is reported nor a client of the driver that is closed. */
    Mono<Void> abort() {
        return Mono.defer(() -> session != null && session.hasActiveTransaction()
                        ? Mono.from(session().abortTransaction())
                        : Mono.<Void>empty())
                .onErrorComplete(IllegalStateException.class);
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
    public Mono<Reply> insertOne(MongoOp.InsertOne op) {
        return acknowledged(collection(op.collection()).insertOne(session(), op.document()));
    }

    @Override
    public Mono<Reply> findOne(MongoOp.FindOne op) {
        FindPublisher<BsonDocument> found = collection(op.collection()).find(session(), op.filter());
        op.projection().ifPresent(found::projection);
        return found(found.first());
    }

    /** The batch size is the limit and one more: then the server leaves no cursor open. */
    @Override
    public Mono<Reply> findMany(MongoOp.FindMany op) {
        FindPublisher<BsonDocument> found = collection(op.collection())
                .find(session(), op.filter())
                .sort(Sorts.ascending("_id"))
                .limit(op.limit())
                .batchSize(op.limit() + 1);
        op.projection().ifPresent(found::projection);
        return foundMany(found);
    }

    @Override
    public Mono<Reply> updateOne(MongoOp.UpdateOne op) {
        MongoCollection<BsonDocument> collection = collection(op.collection());
        UpdateOptions options = new UpdateOptions().upsert(op.upsert());
        Publisher<UpdateResult> updated = op.change()
                .fold(
                        operators -> collection.updateOne(session(), op.filter(), operators, options),
                        stages -> collection.updateOne(session(), op.filter(), stages, options));
        return Mono.from(updated)
                .map(result -> new Reply.Counted(result.getMatchedCount(), result.getUpsertedId() != null));
    }

    @Override
    public Mono<Reply> updateEach(MongoOp.BulkUpdate op) {
        List<UpdateOneModel<BsonDocument>> updates =
                op.updates().stream().map(DriverOptions::model).toList();
        BulkWriteOptions inAnyOrder = new BulkWriteOptions().ordered(false);
        return Mono.from(collection(op.collection()).bulkWrite(session(), updates, inAnyOrder))
                .map(result -> new Reply.Counted(result.getMatchedCount(), false));
    }

    @Override
    public Mono<Reply> findOneAndUpdate(MongoOp.FindOneAndUpdate op) {
        MongoCollection<BsonDocument> collection = collection(op.collection());
        FindOneAndUpdateOptions options =
                new FindOneAndUpdateOptions().upsert(op.upsert()).returnDocument(ReturnDocument.AFTER);
        op.projection().ifPresent(options::projection);
        return found(op.change()
                .fold(
                        operators -> collection.findOneAndUpdate(session(), op.filter(), operators, options),
                        stages -> collection.findOneAndUpdate(session(), op.filter(), stages, options)));
    }

    @Override
    public Mono<Reply> deleteOne(MongoOp.DeleteOne op) {
        return Mono.from(collection(op.collection()).deleteOne(session(), op.filter()))
                .map(result -> new Reply.Counted(result.getDeletedCount(), false));
    }

    @Override
    public Mono<Reply> transaction(MongoOp.Transaction op) {
        return switch (op.boundary()) {
            case START -> acknowledged(start());
            case COMMIT -> acknowledged(commit());
            case ABORT -> acknowledged(abort());
        };
    }

    @Override
    public Mono<Reply> hello(MongoOp.Hello op) {
        BsonDocument command = new BsonDocument(op.command(), new BsonInt32(1));
        return found(database().runCommand(session(), command, ReadPreference.primary(), BsonDocument.class));
    }

    @Override
    public Mono<Reply> readSchema(MongoOp.ReadSchema op) {
        String name = runs.collection(op.collection());
        return foundMany(
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
                });
    }

    @Override
    public Mono<Reply> createCollection(MongoOp.CreateCollection op) {
        String name = op.collection().name();
        return op.collection()
                .ttl()
                .map(ttl -> acknowledged(collection(name)
                        .createIndex(session(), Indexes.ascending(ttl.field()), DriverOptions.index(ttl))))
                .orElseGet(() -> acknowledged(database().createCollection(session(), runs.collection(name))));
    }

    /** A commit that was not sent, because its time was over, has left its transaction open. */
    private Mono<Void> start() {
        return abort().then(Mono.fromRunnable(this::begin));
    }

    private void begin() {
        committed = false;
        session().startTransaction(DriverOptions.transaction(limit));
        transactionBegun = transactionNumber();
    }

    /** Returns whether the transaction that was begun last is open: the user's code has not ended it. */
    boolean isTransactionOpen() {
        return session != null && session.hasActiveTransaction() && transactionNumber() == transactionBegun;
    }

    /** Returns whether the session is open: the driver closes it when the abort has ended that a close begins with. */
    boolean isSessionOpen() {
        try {
            return session().getServerSession() != null;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private Publisher<Void> commit() {
        committed = true;
        return session().commitTransaction();
    }

    /**
     * The driver applies the time limit of a commit to later operations in the session(), where it may have passed
     * already. An empty transaction, of which nothing is sent, resets that.
     */
    private Mono<Void> leaveCommitted(MongoOp op) {
        if (!committed || op instanceof MongoOp.Transaction) {
            return Mono.empty();
        }
        committed = false;
        session().startTransaction(DriverOptions.transaction(limit));
        return Mono.from(session().abortTransaction());
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

    static Mono<Reply> found(Publisher<BsonDocument> document) {
        return Mono.from(document).<Reply>map(Reply.Found::of).defaultIfEmpty(Reply.Found.none());
    }

    private static Mono<Reply> foundMany(Publisher<BsonDocument> documents) {
        return Flux.from(documents).collectList().map(Reply.FoundMany::new);
    }

    private static Mono<Reply> acknowledged(Publisher<?> done) {
        return Mono.from(done).then(Mono.fromSupplier(Reply.Acknowledged::new));
    }
}
