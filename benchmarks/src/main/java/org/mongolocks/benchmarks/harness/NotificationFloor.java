package org.mongolocks.benchmarks.harness;

import com.mongodb.ReadConcern;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.bson.Document;
import org.mongolocks.benchmarks.client.RawFloor;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.result.Contender;
import org.mongolocks.benchmarks.result.Contender.Kind;
import org.mongolocks.benchmarks.result.Contender.Properties;

/** Is what no waiter can be told faster than: the time from right before an insert until another thread has its event. */
final class NotificationFloor implements AutoCloseable {
    static final String ID = "floor-notification";

    static final Contender CONTENDER =
            Contender.of(ID, Kind.FLOOR, "insert to change-stream event", Properties.ofFloor("majority and journal"));

    /** Time for the watcher to ask for the next event. */
    private static final long PAUSE_MILLIS = 3;

    private final MongoClient mongo;
    private final MongoCollection<Document> collection;

    NotificationFloor(Workbench bench) {
        this.mongo = MongoClients.create(bench.settings().build());
        this.collection = mongo.getDatabase(Workbench.DATABASE)
                .getCollection(bench.name("notification"))
                .withReadConcern(ReadConcern.MAJORITY)
                .withWriteConcern(RawFloor.DURABLE);
    }

    /** Inserts until the time is over, at least once, and gives how long each event took, in nanoseconds. */
    Histogram run(Duration time) throws InterruptedException {
        try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> events =
                collection.watch().maxAwaitTime(1, TimeUnit.SECONDS).cursor()) {
            Exchange exchange = new Exchange(events, System.nanoTime() + time.toNanos());
            Together.run(List.of(exchange::insert, exchange::watch));
            return exchange.nanos;
        }
    }

    @Override
    public void close() {
        mongo.close();
    }

    private final class Exchange {
        private final Histogram nanos = new Histogram(3);
        private final Semaphore told = new Semaphore(0);
        private final MongoChangeStreamCursor<ChangeStreamDocument<Document>> events;
        private final long endNanos;
        private volatile long sentNanos;
        private volatile boolean ended;

        Exchange(MongoChangeStreamCursor<ChangeStreamDocument<Document>> events, long endNanos) {
            this.events = events;
            this.endNanos = endNanos;
        }

        private boolean insert() throws InterruptedException {
            do {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                ended = System.nanoTime() >= endNanos;
                sentNanos = System.nanoTime();
                collection.insertOne(new Document());
                told.acquire();
            } while (!ended);
            return true;
        }

        private boolean watch() {
            boolean isLast = false;
            while (!isLast) {
                if (events.tryNext() != null) {
                    nanos.recordValue(System.nanoTime() - sentNanos);
                    isLast = ended;
                    told.release();
                }
            }
            return true;
        }
    }
}
