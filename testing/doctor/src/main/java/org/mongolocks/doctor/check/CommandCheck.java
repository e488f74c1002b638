package org.mongolocks.doctor.check;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.client.result.UpdateResult;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.doctor.check.CheckResult.Status;
import org.mongolocks.spi.LockStrategy.Trait;

/**
 * A check whether one kind of command that the locks use works as on MongoDB. The command is tried, whatever the
 * version is.
 */
final class CommandCheck extends Check {
    private static final int UPSERT_ROUNDS = 100;
    /** Far servers get fewer rounds. */
    private static final long UPSERT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Probe probe;

    private CommandCheck(Probe probe) {
        super(probe.id, Promise.OPERATION, Promise.EXCLUSION);
        this.probe = probe;
    }

    static List<Check> each() {
        return Stream.of(Probe.values()).<Check>map(CommandCheck::new).toList();
    }

    @Override
    Stream<CheckResult> look(Deployment deployment) throws InterruptedException {
        Set<String> affected = probe.isForAll ? deployment.names() : ServerCheck.having(deployment, Trait.SERVER_CLOCK);
        if (affected.isEmpty()) {
            return Stream.empty();
        }
        try {
            String answer = probe.question.answer(deployment.scratch().collection(probe.id));
            boolean isRight = answer.isEmpty();
            return Stream.of(
                    isRight
                            ? finding(Status.OK, affected, probe.what + " as on MongoDB")
                            : broken(affected, probe.what + " otherwise than on MongoDB: " + answer));
        } catch (MongoException e) {
            String refusal = Errors.refusedWrite(e);
            return Stream.of(
                    refusal == null
                            ? broken(affected, probe.what + " not at all: " + Errors.text(e))
                            : unseen(deployment, refusal)
                                    .advise(
                                            "Run this program while the server takes writes, as a user who may write to,"
                                                    + " create and drop collections named " + Scratch.PREFIX + "*."));
        }
    }

    private CheckResult broken(Set<String> affected, String seen) {
        return finding(Status.BROKEN, affected, seen)
                .advise(
                        probe.isForAll
                                ? "Use MongoDB 4.4 or newer: no lock can work without this."
                                : "Use MongoDB 4.4 or newer, or the strategy optimistic-version-clock-free, which does"
                                        + " without this.");
    }

    @SuppressWarnings("ImmutableEnumChecker") // The functions are stateless.
    private enum Probe {
        PIPELINES("update-pipelines", "update pipelines compute", false, CommandCheck::pipelines),
        NOW_IN_UPDATES("now-in-updates", "$$NOW in an update is the server's time", false, CommandCheck::nowInUpdates),
        NOW_IN_PROJECTIONS(
                "now-in-projections",
                "$$NOW in a projection is the server's time",
                false,
                CommandCheck::nowInProjections),
        UPSERT("conditional-upsert", "of two upserts of an _id one is a duplicate key", true, CommandCheck::upserts);

        private final String id;
        private final String what;
        private final boolean isForAll;
        private final Question question;

        Probe(String id, String what, boolean isForAll, Question question) {
            this.id = id;
            this.what = what;
            this.isForAll = isForAll;
            this.question = question;
        }
    }

    /** Commands to a scratch collection, and the difference from MongoDB in words; empty if there is none. */
    @FunctionalInterface
    private interface Question {
        String answer(MongoCollection<BsonDocument> scratch) throws InterruptedException;
    }

    /** An older or other server stores the pipeline's operators, or refuses it. */
    private static String pipelines(MongoCollection<BsonDocument> scratch) {
        BsonDocument count =
                BsonDocument.parse("{$set: {n: {$switch: {branches: [{case: {$eq: [{$type: '$n'}, 'missing']},"
                        + " then: 1}], default: {$add: ['$n', 1]}}}, text: {$literal: '$n'}}}");
        BsonDocument after = new BsonDocument();
        for (int times = 0; times < 2; times++) {
            after = changed(scratch, count);
        }
        BsonDocument expected = BsonDocument.parse("{_id: 'x', n: 2, text: '$n'}");
        return after.equals(expected) ? "" : "it made " + after.toJson() + " and not " + expected.toJson();
    }

    private static String nowInUpdates(MongoCollection<BsonDocument> scratch) {
        BsonDocument after = changed(
                scratch, BsonDocument.parse("{$set: {now: '$$NOW', later: {$add: ['$$NOW', {$literal: 1000}]}}}"));
        return dates(after, "now", "later");
    }

    private static String nowInProjections(MongoCollection<BsonDocument> scratch) {
        scratch.insertOne(BsonDocument.parse("{_id: 'x', at: {$date: '2020-01-01T00:00:00Z'}}"));
        BsonDocument found = scratch.find(Filters.eq("x"))
                .projection(BsonDocument.parse("{at: 1, now: '$$NOW', isPast: {$lte: ['$at', '$$NOW']}}"))
                .first();
        if (found == null) {
            return "a document that was just written is not found";
        }
        boolean isPast = found.get("isPast", BsonNull.VALUE).equals(BsonBoolean.TRUE);
        return isPast ? dates(found, "now") : "2020 is not past in " + found.toJson();
    }

    /** A server may tell an existing _id, and yet let two upserts at the same time both insert it. */
    private static String upserts(MongoCollection<BsonDocument> scratch) throws InterruptedException {
        if (!inserts(scratch, 0, "a") || inserts(scratch, 0, "b")) {
            return "an existing document was inserted, or a missing one was not, so a lock can exist twice";
        }
        long begin = System.nanoTime();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 1; round <= UPSERT_ROUNDS && System.nanoTime() - begin < UPSERT_NANOS; round++) {
                if (insertsAtOnce(threads, scratch, round) != 1 || scratch.countDocuments(Filters.eq(round)) != 1) {
                    return "of two upserts at the same time not one inserted, but both or none, in attempt " + round
                            + " of " + UPSERT_ROUNDS + ", so a lock can have two holders";
                }
            }
            return "";
        } finally {
            threads.shutdownNow();
        }
    }

    private static int insertsAtOnce(ExecutorService threads, MongoCollection<BsonDocument> scratch, int id)
            throws InterruptedException {
        CyclicBarrier both = new CyclicBarrier(2);
        List<Callable<Boolean>> upserts = Stream.of("a", "b")
                .<Callable<Boolean>>map(owner -> () -> {
                    both.await();
                    return inserts(scratch, id, owner);
                })
                .toList();
        int inserted = 0;
        for (Future<Boolean> upsert : threads.invokeAll(upserts)) {
            try {
                inserted += upsert.get() ? 1 : 0;
            } catch (ExecutionException e) {
                throw e.getCause() instanceof MongoException cause ? cause : new IllegalStateException(e);
            }
        }
        return inserted;
    }

    /** Upserts a document for an owner, and returns whether that inserted it; the other outcome is a duplicate key. */
    private static boolean inserts(MongoCollection<BsonDocument> scratch, int id, String owner) {
        try {
            UpdateResult result = scratch.updateOne(
                    new BsonDocument("_id", new BsonInt32(id)).append("owner", new BsonString(owner)),
                    Updates.set("n", 1),
                    new UpdateOptions().upsert(true));
            return result.getUpsertedId() != null;
        } catch (MongoException e) {
            if (ErrorCategory.fromErrorCode(e.getCode()) == ErrorCategory.DUPLICATE_KEY) {
                return false;
            }
            throw e;
        }
    }

    private static String dates(BsonDocument document, String... fields) {
        for (String field : fields) {
            BsonValue value = document.get(field, BsonNull.VALUE);
            if (!value.isDateTime()) {
                return "'" + field + "' is no date in " + document.toJson();
            }
        }
        return "";
    }

    private static BsonDocument changed(MongoCollection<BsonDocument> scratch, BsonDocument stage) {
        BsonDocument after = scratch.findOneAndUpdate(
                Filters.eq("x"),
                List.of(stage),
                new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER));
        return after == null ? new BsonDocument() : after;
    }
}
