package org.mongolocks.contract.broken;

import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.BulkUpdate;
import org.mongolocks.spi.MongoOp.FindOne;
import org.mongolocks.spi.MongoOp.FindOneAndUpdate;
import org.mongolocks.spi.MongoOp.UpdateOne;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.strategy.insertunique.InsertUniqueStrategy;

/**
 * A mistake in one command of the protocol of {@code findandmodify-counter}, or of {@code insert-unique} where only
 * that strategy has such a command.
 */
@SuppressWarnings("ImmutableEnumChecker") // The functions keep no state.
enum Mutation implements Mistake {
    RELEASES_BY_NAME_ONLY("/release", Mutation::byNameOnly),
    RELEASES_ANOTHER("/release", Mutation::ofAnother),
    RELEASES_ALL_OTHERS("/release-all", Mutation::ofAnother),
    DOES_NOT_COMPENSATE("/release", filter -> filter.containsKey("fence") ? filter : ofAnother(filter)),
    KEEPS_NO_MINIMUM("/release-after", Mutation::ofAnother),
    LEAVES_THE_OWNER("/release", "\"$unset\": {\"owner\"", "\"$unset\": {\"nothing\""),
    RENEWS_BY_NAME_ONLY("/renew", Mutation::byNameOnly),
    RENEWS_ALL_BY_NAME_ONLY("/renew-all", Mutation::byNameOnly),
    DOES_NOT_EXTEND("/renew", "\"$$NOW\"", "\"$acquiredAt\""),
    SHORTENS_ON_RENEWAL("/renew", "\"leaseMs\": {\"$max\"", "\"leaseMs\": {\"$min\""),
    COUNTS_RENEWALS("/renew", "{\"$set\": {", "{\"$set\": {\"fence\": " + Mutation.NEXT_TOKEN + ", "),
    READS_THE_LOSS_REASON_OF_ANOTHER("/loss-reason", Mutation::ofAnother),
    SHOWS_ANOTHER("/inspect", Mutation::ofAnother),
    EVALUATES_NAMES("/inspect", Mutation::evaluated),
    FORCES_BY_NAME_ONLY("/force-release", Mutation::byNameOnly),
    FORCES_ANY_HOLDER("/force-release", Mutation::ofWhomever),
    FORCES_WITHOUT_COUNTING("/force-release", "\"$inc\": {\"fence\"", "\"$inc\": {\"nothing\""),
    FORCES_WITHOUT_A_TRACE("/force-release", "\"forcedAt\": ", "\"other\": "),
    GRANTS_HELD_LOCKS("/acquire-or-extend", Mutation.EXPIRED, "true"),
    KEEPS_THE_TRACE_OF_A_FORCED_RELEASE("/acquire-or-extend", "\"forcedAt\": ", "\"other\": "),
    NEVER_TAKES_OVER("/acquire-or-extend", Mutation.EXPIRED, "false"),
    BEGINS_AT_ONE("/insert", "{\"$toLong\": \"$$NOW\"}", "{\"$numberLong\": \"1\"}") {
        @Override
        public LockStrategy in(LockStrategy strategy) {
            return super.in(new InsertUniqueStrategy());
        }
    },
    DOES_NOT_COUNT("/acquire-or-extend", Mutation.NEXT_TOKEN, "{\"$numberLong\": \"1\"}"),
    GRANTS_LOCKS_LAST_SEEN_RELEASED("/acquire-released", Mutation::byNameOnly),
    DOES_NOT_COUNT_A_RELEASED_LOCK("/acquire-released", "\"$inc\": {\"fence\"", "\"$inc\": {\"nothing\""),
    JOINS_AHEAD_OF_ALL(
            Pattern.compile("(\"waiting\": \\{\"\\$concatArrays\": )\\[(\"\\$\\$listed\"), (\\[.*?])]"), "$1[$3, $2]"),
    JOINS_WITH_EACH_ATTEMPT(
            Pattern.compile(Pattern.quote("{\"$eq\": [\"$$position\", {\"$size\": \"$$listed\"}]}")), "true"),
    LEAVES_ONLY_WHEN_SERVED("/unregister", Mutation::ofAnother),
    STAYS_IN_THE_LIST_WHEN_SERVED(
            "/acquire-or-extend", "{\"$add\": [\"$$position\", {\"$numberInt\": \"1\"}]}", "\"$$position\""),
    IGNORES_THE_LIST("/acquire-or-extend", Mutation.CLAIM_TIME, "{\"$numberLong\": \"0\"}"),
    PASSES_NOBODY_OVER("/acquire-or-extend", Mutation.CLAIM_TIME, "{\"$numberLong\": \"1000000\"}"),
    NAMES_NO_NEXT_WAITER("/release", "\"$rename\": {\"next\": \"turn\"}", "\"$unset\": {\"next\": true}"),
    LOCKS_EVERYTHING("", filter -> renamed(filter, name -> "everything")),
    CUTS_NAMES("", filter -> renamed(filter, name -> name.substring(0, Math.min(name.length(), 270)))),
    FOLDS_NAMES(
            "",
            filter -> renamed(
                    filter,
                    name -> Normalizer.normalize(name, Normalizer.Form.NFC).toLowerCase(Locale.ROOT)));

    /**
     * Mutations that changed nothing, or failed, because the protocol has no such part: a rule that fails for that reason
     * proves nothing.
     */
    static final List<String> MISFITS = new CopyOnWriteArrayList<>();

    private static final String EXPIRED = "{\"$lte\": [{\"$add\": [\"$renewedAt\", \"$leaseMs\"]}, \"$$NOW\"]}";
    private static final String CLAIM_TIME = "{\"$numberLong\": \"250\"}";
    private static final String NEXT_TOKEN =
            "{\"$add\": [{\"$ifNull\": [\"$fence\", {\"$numberLong\": \"0\"}]}, {\"$numberLong\": \"1\"}]}";
    private static final JsonWriterSettings TYPED =
            JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();

    private final String label;
    private final boolean isOfWaiter;
    private final UnaryOperator<BsonDocument> filter;
    private final UnaryOperator<UpdateSpec> change;

    /** Replaces the filter. */
    Mutation(String label, UnaryOperator<BsonDocument> filter) {
        this.label = label;
        this.isOfWaiter = false;
        this.filter = filter;
        this.change = UnaryOperator.identity();
    }

    /** Replaces a part of the update. */
    Mutation(String label, String right, String wrong) {
        this(label, false, Pattern.compile(Pattern.quote(right)), Matcher.quoteReplacement(wrong));
    }

    /** Replaces a part of the attempts of waiters. */
    Mutation(Pattern right, String wrong) {
        this("/acquire-or-extend", true, right, wrong);
    }

    Mutation(String label, boolean isOfWaiter, Pattern right, String wrong) {
        this.label = label;
        this.isOfWaiter = isOfWaiter;
        this.filter = UnaryOperator.identity();
        this.change = before -> otherwise(before, right, wrong);
    }

    @Override
    public LockStrategy in(LockStrategy strategy) {
        return new MutatedStrategy(strategy, this::applyTo);
    }

    private MongoOp applyTo(MongoOp op) {
        if (!op.label().endsWith(label) || (isOfWaiter && !isByWaiter(op))) {
            return op;
        }
        if (op instanceof FindOne look) {
            return new FindOne(op.label(), look.collection(), filter.apply(look.filter()), look.projection());
        }
        if (op instanceof UpdateOne write) {
            return new UpdateOne(
                    op.label(),
                    write.collection(),
                    filter.apply(write.filter()),
                    change.apply(write.change()),
                    write.upsert());
        }
        if (op instanceof FindOneAndUpdate write) {
            return new FindOneAndUpdate(
                    op.label(),
                    write.collection(),
                    filter.apply(write.filter()),
                    change.apply(write.change()),
                    write.upsert(),
                    write.projection());
        }
        if (op instanceof BulkUpdate each) {
            return new BulkUpdate(
                    op.label(),
                    each.collection(),
                    each.updates().stream().map(this::mutated).toList());
        }
        return op;
    }

    private static boolean isByWaiter(MongoOp op) {
        return op instanceof FindOneAndUpdate attempt
                && attempt.projection()
                        .filter(fields -> fields.containsKey(LockFields.POSITIONS))
                        .isPresent();
    }

    private BulkUpdate.Update mutated(BulkUpdate.Update update) {
        return new BulkUpdate.Update(filter.apply(update.filter()), change.apply(update.change()));
    }

    private static BsonDocument byNameOnly(BsonDocument filter) {
        return new BsonDocument("_id", filter.get("_id"));
    }

    private static BsonDocument ofWhomever(BsonDocument filter) {
        BsonDocument without = filter.clone();
        without.remove("owner");
        return without;
    }

    private static BsonDocument ofAnother(BsonDocument filter) {
        return renamed(filter, name -> "not " + name);
    }

    private static BsonDocument renamed(BsonDocument filter, UnaryOperator<String> other) {
        return filter.clone()
                .append(
                        "_id",
                        new BsonString(other.apply(filter.getString("_id").getValue())));
    }

    /** Turns a name that begins with a dollar sign into a path or a variable. */
    private static BsonDocument evaluated(BsonDocument filter) {
        BsonArray both = new BsonArray(List.of(new BsonString("$_id"), filter.get("_id")));
        return new BsonDocument("$expr", new BsonDocument("$eq", both));
    }

    private static UpdateSpec otherwise(UpdateSpec change, Pattern right, String wrong) {
        return change.fold(
                operators -> UpdateSpec.operators(
                        replaced(List.of(operators), right, wrong).get(0)),
                stages -> new UpdateSpec.Pipeline(replaced(stages, right, wrong)));
    }

    private static List<BsonDocument> replaced(List<BsonDocument> parts, Pattern right, String wrong) {
        String before = parts.stream().map(part -> part.toJson(TYPED)).toList().toString();
        String after = right.matcher(before).replaceAll(wrong);
        if (after.equals(before)) {
            MISFITS.add("Nothing like " + right + " in " + before);
        }
        return parse(after);
    }

    private static List<BsonDocument> parse(String stages) {
        return BsonDocument.parse("{stages: " + stages + "}").getArray("stages").stream()
                .map(stage -> stage.asDocument())
                .toList();
    }
}
