package org.mongolocks.sync;

import com.mongodb.MongoException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.ReadConcern;
import com.mongodb.ServerCursor;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.run.DaemonThreads;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.ReleaseEvents;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;

/** The change streams of the synchronous driver, each on a daemon thread of its own. */
final class SyncChangeFeed implements ChangeFeed {
    /**
     * How long a thread of the user waits for the command that ends a stream: long enough to send it before it closes the
     * driver's client. Nothing waits for the stream itself, which may detect its end a second later.
     */
    private static final Duration MAX_END = Duration.ofMillis(50);

    private final Supplier<MongoDatabase> database;
    private final ClientSettings settings;
    private final Duration await;
    private final BiFunction<String, Runnable, Thread> threads;

    SyncChangeFeed(
            Supplier<MongoDatabase> database, ClientSettings settings, BiFunction<String, Runnable, Thread> threads) {
        this.database = database;
        this.settings = settings;
        this.await = ReleaseEvents.longestAwait(settings);
        this.threads = threads;
    }

    /** Returns a feed that gets the database for each stream, because the driver's client may be replaced below a proxy. */
    static ChangeFeed of(Supplier<MongoDatabase> database, ClientSettings settings) {
        return ReleaseEvents.unlessLimited(
                database.get().getTimeout(TimeUnit.MILLISECONDS),
                settings,
                () -> new SyncChangeFeed(database, settings, DaemonThreads::thread));
    }

    private MongoDatabase durable() {
        return SyncPort.durable(database.get(), settings.commandTimeout());
    }

    @Override
    public boolean reportsQuiet() {
        return true;
    }

    @Override
    public CompletableFuture<Void> probe() {
        BsonDocument ping = new BsonDocument("ping", new BsonInt32(1));
        return CompletableFuture.runAsync(
                () -> durable().runCommand(ping), work -> daemon("probe", work).start());
    }

    @Override
    public Subscription open(List<BsonDocument> pipeline, Listener listener) {
        Watching watching = new Watching(pipeline, listener);
        watching.start();
        return watching;
    }

    /** An open stream and its thread. */
    private final class Watching implements Subscription, Runnable {
        private final List<BsonDocument> pipeline;
        private final Listener listener;
        private final Thread thread = daemon("changes", this);
        private volatile boolean ended;
        private volatile @Nullable ServerCursor onServer;

        Watching(List<BsonDocument> pipeline, Listener listener) {
            this.pipeline = pipeline;
            this.listener = listener;
        }

        void start() {
            boolean started = false;
            try {
                thread.start();
                started = true;
            } finally {
                if (!started) {
                    failed(new MongoException("The thread of the change stream cannot start"));
                }
            }
        }

        @Override
        public void run() {
            reportingFailure(() -> {
                try (MongoCursor<BsonDocument> cursor = open()) {
                    onServer = cursor.getServerCursor();
                    listener.opened();
                    reportingFailure(() -> listen(cursor));
                    mayEndCursor();
                }
            });
        }

        /** The interrupt that ends the stream must not prevent the close of the cursor on the server. */
        private void mayEndCursor() {
            if (Thread.interrupted()) {
                ended = true;
            }
        }

        /** The failure of a stream is reported before its cursor is closed, which may take long then. */
        private void reportingFailure(Runnable part) {
            boolean dies = true;
            try {
                part.run();
                dies = false;
            } catch (MongoException e) {
                dies = false;
                failed(e);
            } catch (RuntimeException e) {
                dies = false;
                failed(new MongoException("The change stream has ended: " + e.getMessage(), e));
            } finally {
                if (dies) {
                    failed(new MongoException("The thread of the change stream has died"));
                }
            }
        }

        private void failed(MongoException cause) {
            if (!ended) {
                listener.failed(cause);
            }
        }

        private MongoCursor<BsonDocument> open() {
            MongoDatabase plain = database.get();
            ReleaseEvents.requireUnlimited(plain.getTimeout(TimeUnit.MILLISECONDS));
            return SyncPort.untimed(plain)
                    .withReadConcern(ReadConcern.MAJORITY)
                    .getCollection(settings.collection(), BsonDocument.class)
                    .watch(pipeline)
                    .maxAwaitTime(await.toMillis(), TimeUnit.MILLISECONDS)
                    .withDocumentClass(BsonDocument.class)
                    .cursor();
        }

        private void listen(MongoCursor<BsonDocument> cursor) {
            while (!ended) {
                BsonDocument change = next(cursor);
                if (change == null) {
                    listener.quiet();
                } else {
                    listener.changed(change);
                }
            }
        }

        private @Nullable BsonDocument next(MongoCursor<BsonDocument> cursor) {
            try {
                return cursor.tryNext();
            } catch (MongoInterruptedException e) {
                ended = true;
                return null;
            }
        }

        @Override
        public void close() {
            boolean first = !ended;
            ended = true;
            if (first && Thread.currentThread() != thread) {
                endOnServer();
                thread.interrupt();
            }
        }

        /** An interrupt does not end the read of a socket, but the server replies when its cursor is killed. */
        private void endOnServer() {
            ServerCursor open = onServer;
            if (open == null) {
                return;
            }
            Thread ending = daemon("changes-end", () -> kill(open));
            ending.start();
            if (DaemonThreads.isOfLibrary(Thread.currentThread())) {
                return;
            }
            try {
                ending.join(MAX_END.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void kill(ServerCursor cursor) {
        BsonArray one = new BsonArray(List.of(new BsonInt64(cursor.getId())));
        BsonDocument command = new BsonDocument("killCursors", new BsonString(settings.collection()));
        try {
            durable().runCommand(command.append("cursors", one));
        } catch (MongoException | IllegalStateException e) {
            System.getLogger("org.mongolocks")
                    .log(System.Logger.Level.DEBUG, "A change stream is left to end by itself", e);
        }
    }

    private Thread daemon(String kind, Runnable work) {
        return threads.apply("mongo-locks-" + kind + "-" + settings.instance(), work);
    }
}
