package org.mongolocks.reactive;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.result.UpdateResult;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.codecs.configuration.CodecRegistry;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.DriverOptions;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.SchemaOp;
import org.mongolocks.spi.Step;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The executor of operations on the reactive driver, in one session. It does not interpret replies. */
final class ReactivePort implements StepRunner.Port, MongoOp.Visitor<Mono<Reply>> {
    private final MongoClient mongo;
    private final MongoDatabase database;
    private final ClientRuns runs;
    private final ClientSession session;
    private final TimeBudget limit;
    private boolean committed;
    private long transactionBegun;

    ReactivePort(MongoClient mongo, MongoDatabase database, ClientRuns runs, ClientSession session, TimeBudget limit) {
        this.mongo = mongo;
        this.database = database;
        this.runs = runs;
        this.session = session;
        this.limit = limit;
    }

    /**
     * Locks are written durably and read from the primary, in bounded time, whatever the settings of the user's client.
     */
    static MongoDatabase durable(MongoDatabase database, ClientRuns runs) {
        return untimed(database).withTimeout(runs.commandTimeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The same without a time limit, for change streams. */
    static MongoDatabase untimed(MongoDatabase database) {
        return database.withCodecRegistry(MongoClientSettings.getDefaultCodecRegistry())
                .withWriteConcern(DriverOptions.DURABLE)
                .withReadConcern(ReadConcern.LOCAL)
                .withReadPreference(ReadPreference.primary());
    }

    @Override
    public <R> Step.Pause<R> paced(Step.Pause<R> pause) {
        return runs.paced(pause, limit);
    }

    @Override
    public Mono<Reply> send(MongoOp op) {
        return Mono.defer(() -> {
            long now = runs.nanoTime();
            return limit.rejectIfLate(op, now).map(Mono::just).orElseGet(() -> sendInTime(op, now));
        });
    }

    private Mono<Reply> sendInTime(MongoOp op, long now) {
        return leaveCommitted(op).then(Mono.defer(() -> {
            ClientRuns.Command command = runs.begin(op, this::transactionNumber, session.hasActiveTransaction(), now);
            return reply(command, isDriverClosed(), () -> op.accept(this)).doOnNext(reply -> noteRepeated());
        }));
    }

    /** Sends a command; a fault of the server or of the connection is a reply, never an error. */
    static Mono<Reply> reply(ClientRuns.Command command, Mono<Boolean> isDriverClosed, Supplier<Mono<Reply>> sending) {
        return Mono.defer(() -> FatalErrors.call(sending))
                .doOnNext(reply -> FatalErrors.run(() -> command.answered(reply)))
                .doFinally(signal -> command.ended())
                .onErrorResume(MongoException.class, e -> Mono.just(command.failed(e)))
                .onErrorResume(BSONException.class, e -> Mono.just(command.notEncoded(e)))
                .onErrorResume(
                        IllegalStateException.class,
                        e -> isDriverClosed.flatMap(closed -> closed ? Mono.just(command.refused(e)) : Mono.error(e)));
    }

    /** Opens a session; the driver refuses that if its client is closed. Nothing is sent. */
    static Mono<ClientSession> openSession(
            MongoClient mongo, Function<IllegalStateException, RuntimeException> refused) {
        return Mono.defer(() -> Mono.from(mongo.startSession(DriverOptions.SESSION)))
                .doOnNext(ClientSession::getServerSession)
                .onErrorMap(IllegalStateException.class, refused);
    }

    private Mono<Boolean> isDriverClosed() {
        return openSession(mongo, refusal -> refusal)
                .doOnNext(ClientSession::close)
                .map(opened -> false)
                .onErrorReturn(IllegalStateException.class, true);
    }

    /** Ends a transaction that is open; the driver does not report a failure. */
    Mono<Void> abort() {
        return Mono.defer(() -> session.hasActiveTransaction() ? Mono.from(session.abortTransaction()) : Mono.empty());
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
        return acknowledged(collection(op.collection()).insertOne(session, op.document()));
    }

    @Override
    public Mono<Reply> findOne(MongoOp.FindOne op) {
        FindPublisher<BsonDocument> found = collection(op.collection()).find(session, op.filter());
        op.projection().ifPresent(found::projection);
        return found(found.first());
    }

    /** The batch size is the limit and one more: then the server leaves no cursor open. */
    @Override
    public Mono<Reply> findMany(MongoOp.FindMany op) {
        FindPublisher<BsonDocument> found = collection(op.collection())
                .find(session, op.filter())
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
                        operators -> collection.updateOne(session, op.filter(), operators, options),
                        stages -> collection.updateOne(session, op.filter(), stages, options));
        return Mono.from(updated)
                .map(result -> new Reply.Counted(result.getMatchedCount(), result.getUpsertedId() != null));
    }

    @Override
    public Mono<Reply> updateEach(MongoOp.BulkUpdate op) {
        List<UpdateOneModel<BsonDocument>> updates =
                op.updates().stream().map(DriverOptions::model).toList();
        BulkWriteOptions inAnyOrder = new BulkWriteOptions().ordered(false);
        return Mono.from(collection(op.collection()).bulkWrite(session, updates, inAnyOrder))
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
                        operators -> collection.findOneAndUpdate(session, op.filter(), operators, options),
                        stages -> collection.findOneAndUpdate(session, op.filter(), stages, options)));
    }

    @Override
    public Mono<Reply> deleteOne(MongoOp.DeleteOne op) {
        return Mono.from(collection(op.collection()).deleteOne(session, op.filter()))
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
        return found(database.runCommand(session, command, ReadPreference.primary(), BsonDocument.class));
    }

    @Override
    public Mono<Reply> createCollection(SchemaOp.CreateCollection op) {
        return acknowledged(database.createCollection(session, runs.collection(op.collection())));
    }

    @Override
    public Mono<Reply> createTtlIndex(SchemaOp.CreateTtlIndex op) {
        IndexOptions ttl = new IndexOptions().expireAfter(op.index().after().toSeconds(), TimeUnit.SECONDS);
        return acknowledged(collection(op.collection())
                .createIndex(session, Indexes.ascending(op.index().field()), ttl));
    }

    @Override
    public Mono<Reply> listIndexes(SchemaOp.ListIndexes op) {
        return foundMany(collection(op.collection()).listIndexes(session, BsonDocument.class));
    }

    @Override
    public Mono<Reply> listCollections(SchemaOp.ListCollections op) {
        return foundMany(database.listCollections(session, BsonDocument.class)
                .filter(Filters.in("name", names(op.collections()))));
    }

    /** The sharded collections are listed in another database, where a dropped one stays for a while. */
    @Override
    public Mono<Reply> findShardKeys(SchemaOp.FindShardKeys op) {
        List<String> full = names(op.collections()).stream()
                .map(name -> database.getName() + "." + name)
                .toList();
        return foundMany(durable(mongo.getDatabase("config"), runs)
                .getCollection("collections", BsonDocument.class)
                .find(session, Filters.and(Filters.in("_id", full), Filters.ne("dropped", true))));
    }

    /** A commit that was not sent, because its time was over, has left its transaction open. */
    private Mono<Void> start() {
        return abort().then(Mono.fromRunnable(this::begin));
    }

    private void begin() {
        committed = false;
        session.startTransaction(DriverOptions.transaction(limit));
        transactionBegun = transactionNumber();
    }

    /** Returns whether the transaction that was begun last is open: the user's code has not ended it. */
    boolean isTransactionOpen() {
        return session.hasActiveTransaction() && transactionNumber() == transactionBegun;
    }

    /** Returns whether the session is open: the driver closes it when the abort has ended that a close begins with. */
    boolean isSessionOpen() {
        try {
            return session.getServerSession() != null;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private Publisher<Void> commit() {
        committed = true;
        return session.commitTransaction();
    }

    /**
     * The driver applies the time limit of a commit to later operations in the session, where it may have passed
     * already. An empty transaction, of which nothing is sent, resets that.
     */
    private Mono<Void> leaveCommitted(MongoOp op) {
        if (!committed || op instanceof MongoOp.Transaction) {
            return Mono.empty();
        }
        committed = false;
        session.startTransaction(DriverOptions.transaction(limit));
        return Mono.from(session.abortTransaction());
    }

    /** The driver marks a session after a network error, and sends the command again. */
    private void noteRepeated() {
        if (session.getServerSession().isMarkedDirty()) {
            limit.noteRepeated();
        }
    }

    private long transactionNumber() {
        return session.getServerSession().getTransactionNumber();
    }

    /** The statements of a transaction share its time limit, and may have no other. */
    private MongoCollection<BsonDocument> collection(String name) {
        MongoCollection<BsonDocument> collection = database.getCollection(runs.collection(name), BsonDocument.class);
        return session.hasActiveTransaction()
                ? collection
                : limit.remainingIfShorter()
                        .map(time -> collection.withTimeout(time.toMillis(), TimeUnit.MILLISECONDS))
                        .orElse(collection);
    }

    private List<String> names(List<String> collections) {
        return collections.stream().map(runs::collection).toList();
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
