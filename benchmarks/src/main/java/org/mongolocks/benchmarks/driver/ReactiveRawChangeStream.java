package org.mongolocks.benchmarks.driver;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.reactivestreams.client.ChangeStreamPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.mongolocks.benchmarks.driver.RawCommands.DriverCollection;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A raw change stream of the reactive-streams driver. A change after an event is sent by the thread that received the
 * event.
 */
final class ReactiveRawChangeStream implements RawChangeStream {
    private static final Document HELLO = new Document("isMaster", 1);

    private final MongoCollection<Document> collection;
    private final EventLatch events = new EventLatch();
    private final Disposable listening;

    ReactiveRawChangeStream(
            MongoDatabase database, MongoCollection<Document> collection, List<? extends Bson> pipeline) {
        this.collection = collection;
        ChangeStreamPublisher<Document> stream =
                collection.watch(pipeline).maxAwaitTime(AWAIT_MILLIS, TimeUnit.MILLISECONDS);
        this.listening = Mono.from(database.runCommand(HELLO, BsonDocument.class))
                .map(hello -> hello.get("operationTime") instanceof BsonTimestamp now
                        ? stream.startAtOperationTime(now)
                        : stream)
                .blockOptional()
                .map(from -> Flux.from(from.withDocumentClass(BsonDocument.class)))
                .orElseGet(Flux::never)
                .subscribe(event -> events.record(RawChangeStream.idIn(event)), events::fail);
    }

    @Override
    public void insert(String id) {
        Mono.from(collection.insertOne(new Document("_id", id))).block();
    }

    @Override
    public Document change(String id, Bson change) {
        return DriverCollection.changed(send(id, change).block());
    }

    @Override
    public void await(String id, long times) {
        Mono.fromFuture(events.await(id, times)).block();
    }

    @Override
    public Document changeAfter(long times, String id, Bson change) {
        return DriverCollection.changed(Mono.fromFuture(events.await(id, times))
                .then(Mono.defer(() -> send(id, change)))
                .block());
    }

    @Override
    public void close() {
        listening.dispose();
    }

    private Mono<Document> send(String id, Bson change) {
        return Mono.from(collection.findOneAndUpdate(eq("_id", id), change, DriverCollection.upsert()));
    }

    /**
     * A latch per named event: counts events by name and completes a future when the n-th event of a name arrives, on
     * the thread that reports the event. Thread-safe.
     */
    static final class EventLatch {
        private record Event(String name, long number) {}

        private final Map<String, Long> counts = new HashMap<>();
        private final Map<Event, CompletableFuture<Void>> waits = new HashMap<>();
        private @Nullable Throwable failure;

        void record(String name) {
            next(name).complete(null);
        }

        /** Fails all present and future waits: no more events will arrive. */
        synchronized void fail(Throwable cause) {
            failure = cause;
            waits.values().forEach(wait -> wait.completeExceptionally(cause));
        }

        /** Returns a future that completes with the n-th event of a name, counted from 1. */
        synchronized CompletableFuture<Void> await(String name, long number) {
            CompletableFuture<Void> wait =
                    waits.computeIfAbsent(new Event(name, number), one -> new CompletableFuture<>());
            if (failure != null) {
                wait.completeExceptionally(failure);
            }
            return wait;
        }

        private synchronized CompletableFuture<Void> next(String name) {
            return await(name, counts.merge(name, 1L, Long::sum));
        }
    }
}
