package org.mongolocks.doctor.check;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOptions;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.mongolocks.doctor.check.CheckResult.Status;
import org.mongolocks.spi.LockStrategy.Trait;

/**
 * A check whether one kind of command that the locks use works as on MongoDB. The command is tried, whatever the
 * version is.
 */
final class CommandCheck extends Check {
    private final Probe probe;

    private CommandCheck(Probe probe) {
        super(probe.id, Promise.OPERATION, Promise.EXCLUSION);
        this.probe = probe;
    }

    static List<Check> each() {
        return Stream.of(Probe.values()).<Check>map(CommandCheck::new).toList();
    }

    @Override
    Stream<CheckResult> look(Deployment deployment) {
        Set<String> affected = probe.isForAll ? deployment.names() : ServerCheck.having(deployment, Trait.SERVER_CLOCK);
        if (affected.isEmpty()) {
            return Stream.empty();
        }
        try {
            String answer = probe.ask.apply(deployment.scratch().collection(probe.id));
            boolean isRight = answer.isEmpty();
            return Stream.of(
                    isRight
                            ? finding(Status.OK, affected, probe.what + " as on MongoDB")
                            : broken(affected, probe.what + " otherwise than on MongoDB: " + answer));
        } catch (MongoException e) {
            return Stream.of(
                    Errors.isNotAllowed(e)
                            ? unseen(deployment, "the user is not allowed to write to a scratch collection")
                                    .advise("Run this program as a user who may write to, create and drop collections"
                                            + " whose names begin with " + Scratch.PREFIX + ".")
                            : broken(affected, probe.what + " not at all: " + Errors.text(e)));
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
        UPSERT("conditional-upsert", "an upsert of an existing _id is a duplicate key", true, CommandCheck::upsert);

        private final String id;
        private final String what;
        private final boolean isForAll;
        private final Function<MongoCollection<BsonDocument>, String> ask;

        Probe(String id, String what, boolean isForAll, Function<MongoCollection<BsonDocument>, String> ask) {
            this.id = id;
            this.what = what;
            this.isForAll = isForAll;
            this.ask = ask;
        }
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

    private static String upsert(MongoCollection<BsonDocument> scratch) {
        scratch.insertOne(BsonDocument.parse("{_id: 'x', owner: 'a'}"));
        try {
            scratch.updateOne(
                    BsonDocument.parse("{_id: 'x', owner: 'b'}"),
                    BsonDocument.parse("{$set: {n: 1}}"),
                    new UpdateOptions().upsert(true));
            return "it was done, so a lock can exist twice";
        } catch (MongoException e) {
            if (ErrorCategory.fromErrorCode(e.getCode()) == ErrorCategory.DUPLICATE_KEY) {
                return "";
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
