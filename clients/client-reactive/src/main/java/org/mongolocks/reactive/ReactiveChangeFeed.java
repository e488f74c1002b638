package org.mongolocks.reactive;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.reactivestreams.client.ChangeStreamPublisher;
import com.mongodb.reactivestreams.client.MongoDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonTimestamp;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.ReleaseEvents;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The change streams of the reactive driver. The driver does not report when a stream is open; so each begins at a
 * server time that is read before, and every later change is delivered.
 */
final class ReactiveChangeFeed implements ChangeFeed {
    private final Supplier<MongoDatabase> database;
    private final ClientSettings settings;
    private final Duration await;

    private ReactiveChangeFeed(Supplier<MongoDatabase> database, ClientSettings settings) {
        this.database = database;
        this.settings = settings;
        this.await = ReleaseEvents.longestAwait(settings);
    }

    /** Returns a feed that gets the database for each stream, because the driver's client may be replaced below a proxy. */
    static ChangeFeed of(Supplier<MongoDatabase> database, ClientSettings settings) {
        return ReleaseEvents.unlessLimited(
                database.get().getTimeout(TimeUnit.MILLISECONDS),
                settings,
                () -> new ReactiveChangeFeed(database, settings));
    }

    @Override
    public Subscription open(List<BsonDocument> pipeline, Listener listener) {
        Disposable changes = Flux.defer(() -> {
                    MongoDatabase plain = database.get();
                    ReleaseEvents.requireUnlimited(plain.getTimeout(TimeUnit.MILLISECONDS));
                    return now(plain).flatMapMany(reply -> watch(plain, pipeline, reply, listener));
                })
                .subscribe(
                        change -> FatalErrors.run(() -> listener.changed(change)),
                        error -> failed(listener, error),
                        () -> failed(listener, new IllegalStateException("The change stream has ended")));
        return changes::dispose;
    }

    @Override
    public CompletableFuture<Void> probe() {
        return Mono.defer(() -> now(database.get())).then().toFuture();
    }

    /** Any reply has the time; this command is also one of the stable API, to which a client may be restricted. */
    private Mono<BsonDocument> now(MongoDatabase plain) {
        BsonDocument ping = new BsonDocument("ping", new BsonInt32(1));
        return Mono.from(ReactivePort.durable(plain, settings.commandTimeout())
                .runCommand(ping, ReadPreference.primary(), BsonDocument.class));
    }

    /** A server without an operation time has no change streams, and reports that itself. */
    private Flux<BsonDocument> watch(
            MongoDatabase plain, List<BsonDocument> pipeline, BsonDocument reply, Listener listener) {
        ChangeStreamPublisher<?> stream = ReactivePort.untimed(plain)
                .withReadConcern(ReadConcern.MAJORITY)
                .getCollection(settings.collection())
                .watch(pipeline)
                .maxAwaitTime(await.toMillis(), TimeUnit.MILLISECONDS);
        if (!(reply.get("operationTime") instanceof BsonTimestamp time)) {
            return Flux.from(stream.withDocumentClass(BsonDocument.class));
        }
        FatalErrors.run(listener::opened);
        return Flux.from(stream.startAtOperationTime(time).withDocumentClass(BsonDocument.class));
    }

    private static void failed(Listener listener, Throwable error) {
        listener.failed(error instanceof MongoException known ? known : new MongoException(error.toString(), error));
    }
}
