package org.mongolocks.benchmarks.workload;

import static com.mongodb.client.model.Aggregates.match;
import static com.mongodb.client.model.Filters.eq;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.mongolocks.benchmarks.driver.Driver;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.sampling.ConcurrentTasks;
import org.mongolocks.blocking.DriverCollection;
import org.mongolocks.blocking.DriverCollection.Events;

/**
 * The baseline of a notification: the time from immediately before an insert until another thread has received its
 * event. No waiter can be notified faster.
 */
public final class NotificationBaseline {
    public static final String ID = "floor-notification";

    public static final LockUnderTest CONTENDER = LockUnderTest.of(
            ID, Kind.BASELINE, "insert to change-stream event", Properties.ofBaseline("majority and journal"));

    /** The time for the reader to request the next event. */
    private static final long PAUSE_MILLIS = 3;

    private static final List<Bson> INSERTS = List.of(match(eq("operationType", "insert")));

    private final Driver driver;
    private final String collection;

    public NotificationBaseline(RunEnvironment environment, Client client) {
        this.driver = environment.driver(client);
        this.collection = environment.name("notification");
    }

    public Client client() {
        return driver.client();
    }

    /** Inserts until the time is over, at least once, and returns the delay of each event in nanoseconds. */
    public Histogram run(Duration time) throws InterruptedException {
        DriverCollection documents = driver.collection(collection);
        try (Events inserts = documents.watch(INSERTS)) {
            Exchange exchange = new Exchange(documents, inserts, System.nanoTime() + time.toNanos());
            ConcurrentTasks.run(List.of(exchange::insert, exchange::watch));
            return exchange.nanos;
        }
    }

    /** One run. The first insert is not measured: one of the drivers opens the stream only then. */
    private static final class Exchange {
        private final Histogram nanos = new Histogram(3);
        private final Semaphore received = new Semaphore(0);
        private final String prefix = UUID.randomUUID() + "-";
        private final DriverCollection documents;
        private final Events inserts;
        private final long endNanos;
        private volatile long sentNanos;
        private volatile boolean ended;

        Exchange(DriverCollection documents, Events inserts, long endNanos) {
            this.documents = documents;
            this.inserts = inserts;
            this.endNanos = endNanos;
        }

        private boolean insert() throws InterruptedException {
            for (long number = 0; !ended; number++) {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                ended = number > 0 && System.nanoTime() >= endNanos;
                sentNanos = System.nanoTime();
                documents.insert(new Document("_id", prefix + number));
                received.acquire();
            }
            return true;
        }

        private boolean watch() {
            boolean isLast = false;
            for (long number = 0; !isLast; number++) {
                inserts.await(prefix + number, 1);
                if (number > 0) {
                    nanos.recordValue(System.nanoTime() - sentNanos);
                }
                isLast = ended;
                received.release();
            }
            return true;
        }
    }
}
