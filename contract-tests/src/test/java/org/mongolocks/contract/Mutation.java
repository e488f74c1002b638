package org.mongolocks.contract;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.mongolocks.spi.Change;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.FindOneAndUpdate;
import org.mongolocks.spi.MongoOp.UpdateEach;

/** Is a mistake in one command of the protocol of {@code findandmodify-counter}. */
enum Mutation {
    /** No mistake: no operation has that label. */
    NONE("/none"),
    RELEASES_BY_NAME_ONLY("/release"),
    LEAVES_THE_OWNER("/release", "{\"$unset\": \"owner\"}", "{\"$unset\": \"nothing\"}"),
    RENEWS_BY_NAME_ONLY("/renew"),
    RENEWS_ALL_BY_NAME_ONLY("/renew-all"),
    DOES_NOT_EXTEND("/renew", "\"$$NOW\"", "\"$acquiredAt\""),
    FORCES_WHATEVER_IS_THERE("/force-release"),
    FORCES_WITHOUT_COUNTING("/force-release", Mutation.NEXT_TOKEN, "\"$fence\""),
    FORCES_WITHOUT_A_TRACE("/force-release", "\"forcedAt\": ", "\"other\": "),
    TAKES_WHAT_IS_HELD("/take-or-keep", Mutation.EXPIRED, "true"),
    NEVER_TAKES_OVER("/take-or-keep", Mutation.EXPIRED, "false"),
    DOES_NOT_COUNT("/take-or-keep", Mutation.NEXT_TOKEN, "{\"$numberLong\": \"1\"}");

    private static final String EXPIRED = "{\"$lte\": [\"$expiresAt\", \"$$NOW\"]}";
    private static final String NEXT_TOKEN =
            "{\"$add\": [{\"$ifNull\": [\"$fence\", {\"$numberLong\": \"0\"}]}, {\"$numberLong\": \"1\"}]}";
    private static final JsonWriterSettings TYPED =
            JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();

    private final String label;
    private final String right;
    private final String wrong;

    /** Leaves out of the filter all but the name. */
    Mutation(String label) {
        this(label, "", "");
    }

    /** Has something else in the change. */
    Mutation(String label, String right, String wrong) {
        this.label = label;
        this.right = right;
        this.wrong = wrong;
    }

    MongoOp applyTo(MongoOp op) {
        if (!op.label().endsWith(label)) {
            return op;
        }
        if (op instanceof UpdateEach each) {
            return new UpdateEach(
                    op.label(),
                    each.collection(),
                    each.updates().stream().map(Mutation::byNameOnly).toList());
        }
        FindOneAndUpdate change = (FindOneAndUpdate) op;
        return right.isEmpty() ? byNameOnly(change) : otherwise(change);
    }

    private static MongoOp byNameOnly(FindOneAndUpdate op) {
        return new FindOneAndUpdate(op.label(), op.collection(), name(op.filter()), op.change(), op.upsert());
    }

    private static UpdateEach.Update byNameOnly(UpdateEach.Update update) {
        return new UpdateEach.Update(name(update.filter()), update.change());
    }

    private static BsonDocument name(BsonDocument filter) {
        return new BsonDocument("_id", filter.get("_id"));
    }

    private MongoOp otherwise(FindOneAndUpdate op) {
        List<BsonDocument> stages = ((Change.Pipeline) op.change()).stages();
        String before =
                stages.stream().map(stage -> stage.toJson(TYPED)).toList().toString();
        String after = before.replace(right, wrong);
        if (after.equals(before)) {
            throw new AssertionError("Nothing like " + right + " in " + before);
        }
        return new FindOneAndUpdate(
                op.label(), op.collection(), op.filter(), new Change.Pipeline(parse(after)), op.upsert());
    }

    private static List<BsonDocument> parse(String stages) {
        return BsonDocument.parse("{stages: " + stages + "}").getArray("stages").stream()
                .map(stage -> stage.asDocument())
                .toList();
    }
}
