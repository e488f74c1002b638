package org.mongolocks.study.sim.driver;

import com.mongodb.MongoException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.ReleaseEvents;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.net.Commands;
import org.mongolocks.study.sim.net.Network.Purpose;

/**
 * Opens change streams as the driver does: a cursor, a getMore that waits on the server, and one resumption after an
 * error.
 */
public final class SimulatedFeed implements ChangeFeed {
    /** The label of the command that opens a stream. */
    public static final String OPENING = "changes/open";

    private static final long RESUMING_NANOS = Duration.ofMillis(100).toNanos();

    private final SimulatedDriver driver;
    private final SimulatedProcess process;
    private final ClientSettings settings;
    private final int connections;

    public SimulatedFeed(
            SimulatedDriver driver, SimulatedProcess process, ClientSettings settings, Environment environment) {
        this.connections = environment.connections();
        this.driver = driver;
        this.process = process;
        this.settings = settings;
    }

    @Override
    public boolean reportsQuiet() {
        return true;
    }

    /** With one connection the stream delays it, as it delays the commands. */
    @Override
    public CompletableFuture<Void> probe() {
        if (connections == 1) {
            return ChangeFeed.super.probe();
        }
        CompletableFuture<Void> answered = new CompletableFuture<>();
        driver.send(
                new CommandExchange.Order(Purpose.WATCH, "changes/probe", CommandExchange.Kind.READ, ping()),
                result ->
                        result.error().ifPresentOrElse(answered::completeExceptionally, () -> answered.complete(null)));
        return answered;
    }

    private static BsonDocument ping() {
        return new BsonDocument("ping", new BsonInt32(1)).append("$db", new BsonString(Commands.DATABASE));
    }

    @Override
    public Subscription open(List<BsonDocument> pipeline, Listener listener) {
        Stream stream = new Stream(pipeline, listener);
        process.after(0, stream::open);
        return stream;
    }

    /** One stream. */
    private final class Stream implements Subscription {
        private final List<BsonDocument> pipeline;
        private final Listener listener;
        private @Nullable BsonValue resumeToken;
        private boolean hasResumed;
        private boolean ended;

        Stream(List<BsonDocument> pipeline, Listener listener) {
            this.pipeline = pipeline;
            this.listener = listener;
        }

        void open() {
            if (ended) {
                return;
            }
            SimulatedSession session = driver.open();
            BsonDocument position =
                    resumeToken == null ? new BsonDocument() : new BsonDocument("resumeAfter", resumeToken);
            send(session, CommandExchange.Kind.READ, OPENING, aggregate(position), reply -> opened(session, reply));
        }

        @Override
        public void close() {
            ended = true;
        }

        private void opened(SimulatedSession session, BsonDocument reply) {
            if (resumeToken == null) {
                listener.opened();
            }
            received(session, reply.getDocument("cursor"), "firstBatch");
        }

        private void more(SimulatedSession session, BsonInt64 cursor) {
            if (!ended) {
                BsonDocument getMore = new BsonDocument("getMore", cursor)
                        .append("$db", new BsonString(Commands.DATABASE))
                        .append("collection", new BsonString(settings.collection()))
                        .append(
                                "maxTimeMS",
                                new BsonInt64(
                                        ReleaseEvents.longestAwait(settings).toMillis()));
                send(session, CommandExchange.Kind.CURSOR, "changes/more", getMore, reply -> {
                    BsonDocument next = reply.getDocument("cursor");
                    if (next.getArray("nextBatch").isEmpty()) {
                        listener.quiet();
                    }
                    received(session, next, "nextBatch");
                });
            }
        }

        private void received(SimulatedSession session, BsonDocument cursor, String batch) {
            hasResumed = false;
            for (BsonValue change : cursor.getArray(batch)) {
                listener.changed(change.asDocument());
            }
            resumeToken = cursor.get("postBatchResumeToken");
            more(session, new BsonInt64(cursor.getNumber("id").longValue()));
        }

        private void failed(MongoException error) {
            if (ended) {
                return;
            }
            if (hasResumed) {
                ended = true;
                listener.failed(error);
            } else {
                hasResumed = true;
                process.after(RESUMING_NANOS, this::open);
            }
        }

        private BsonDocument aggregate(BsonDocument position) {
            BsonArray stages = new BsonArray(List.of(new BsonDocument("$changeStream", position)));
            stages.addAll(pipeline);
            return new BsonDocument("aggregate", new BsonString(settings.collection()))
                    .append("$db", new BsonString(Commands.DATABASE))
                    .append("pipeline", stages)
                    .append("cursor", new BsonDocument());
        }

        private void send(
                SimulatedSession session,
                CommandExchange.Kind kind,
                String label,
                BsonDocument command,
                java.util.function.Consumer<BsonDocument> then) {
            driver.send(session, new CommandExchange.Order(Purpose.WATCH, label, kind, command), result -> {
                result.reply().ifPresent(then);
                result.error().ifPresent(this::failed);
                if (ended || result.error().isPresent()) {
                    driver.close(session);
                }
            });
        }
    }
}
