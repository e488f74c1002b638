package org.mongolocks.doctor.check;

import com.mongodb.MongoException;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.jspecify.annotations.Nullable;
import org.mongolocks.doctor.check.CheckResult.Status;

/**
 * A check whether change streams work, and how late their events are: the median time from the reply of a write to its
 * event.
 */
final class ChangeStreamCheck extends Check {
    private static final int EVENTS = 5;
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(15);
    /** The average delay of polling; a stream that is later than that is of no use by itself. */
    private static final long LATE_MILLIS = 250;

    private static final int UNAUTHORIZED = 13;

    private static final String LATE_ADVICE =
            "On a sharded cluster, lower periodicNoopIntervalSecs of the shards: an idle shard holds events up.";

    ChangeStreamCheck() {
        super("change-streams", Promise.PROMPT_GRANTS);
    }

    @Override
    Stream<CheckResult> look(Deployment deployment) {
        MongoCollection<BsonDocument> scratch = deployment.scratch().collection("events");
        try {
            scratch.insertOne(new BsonDocument());
        } catch (MongoException e) {
            return Stream.of(unseen(deployment, "nothing can be written to a scratch collection: " + Errors.text(e)));
        }
        try (MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> events = deployment
                .database()
                .getCollection(scratch.getNamespace().getCollectionName(), BsonDocument.class)
                .watch()
                .maxAwaitTime(1, TimeUnit.SECONDS)
                .cursor()) {
            return Stream.of(judged(deployment, lateness(scratch, events)));
        } catch (MongoException e) {
            return Stream.of(
                    e.getCode() == UNAUTHORIZED
                            ? unseen(
                                    deployment, "the user has no right to open a change stream on a scratch collection")
                            : finding(
                                            Status.WARNING,
                                            deployment.names(),
                                            "there are no change streams, so that waiters poll, at least once a second: "
                                                    + Errors.text(e))
                                    .advise(
                                            "Use a replica set if waiters are to be granted a lock sooner after its release."));
        }
    }

    /** Measures each event from the moment at which its write was answered; a missing event ends the measurement. */
    private static List<Long> lateness(
            MongoCollection<BsonDocument> scratch, MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> events) {
        long deadline = System.nanoTime() + TIMEOUT_NANOS;
        List<Long> millis = new ArrayList<>();
        for (int number = 0; number < EVENTS; number++) {
            scratch.insertOne(new BsonDocument("_id", new BsonInt32(number)));
            long written = System.nanoTime();
            if (next(events, deadline) == null) {
                return millis;
            }
            millis.add((System.nanoTime() - written) / 1_000_000);
        }
        return millis;
    }

    private static @Nullable ChangeStreamDocument<BsonDocument> next(
            MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> events, long deadline) {
        ChangeStreamDocument<BsonDocument> event = null;
        while (event == null && System.nanoTime() < deadline) {
            event = events.tryNext();
        }
        return event;
    }

    private CheckResult judged(Deployment deployment, List<Long> millis) {
        if (millis.size() < EVENTS) {
            return finding(
                            Status.WARNING,
                            deployment.names(),
                            "of " + EVENTS + " writes only " + millis.size() + " had an event within "
                                    + TimeUnit.NANOSECONDS.toSeconds(TIMEOUT_NANOS) + " s")
                    .advise(LATE_ADVICE);
        }
        List<Long> sorted = millis.stream().sorted().toList();
        long median = sorted.get(EVENTS / 2);
        String seen = "events come " + median + " ms after their write at the median of " + EVENTS + ", "
                + sorted.get(EVENTS - 1) + " ms at most";
        return median <= LATE_MILLIS
                ? ok(deployment, seen)
                : finding(Status.WARNING, deployment.names(), seen + ", later than a poll would be")
                        .advise(LATE_ADVICE);
    }
}
