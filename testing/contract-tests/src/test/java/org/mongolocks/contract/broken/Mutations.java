package org.mongolocks.contract.broken;

import static org.mongolocks.contract.broken.Mistake.strategy;
import static org.mongolocks.contract.broken.Mutation.ofFilter;

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
import org.mongolocks.contract.broken.Mistake.Row;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.strategy.insertunique.InsertUniqueStrategy;

/**
 * Mistakes in one command of the protocol of {@code findandmodify-counter}, or of {@code insert-unique} where only that
 * strategy has such a command.
 */
final class Mutations {
    /**
     * Mutations that changed nothing, or failed, because the protocol has no such part: a rule that fails for that reason
     * proves nothing.
     */
    static final List<String> MISFITS = new CopyOnWriteArrayList<>();

    private static final String EXPIRED = "{\"$lte\": [{\"$add\": [\"$renewedAt\", \"$leaseMs\"]}, \"$$NOW\"]}";
    private static final String CLAIM_TIME = "{\"$numberLong\": \"250\"}";
    private static final String NEXT_TOKEN =
            "{\"$max\": [{\"$add\": [{\"$ifNull\": [\"$fence\", {\"$numberLong\": \"0\"}]}, {\"$numberLong\": \"1\"}]},"
                    + " {\"$toLong\": \"$$NOW\"}]}";
    private static final JsonWriterSettings TYPED =
            JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();

    static final List<Row> TABLE = List.of(
            Row.of(
                    "releases by name only",
                    ofFilter("/release", Mutations::byNameOnly),
                    "aLateReleaseChangesNothing",
                    "aReleaseThatComesLateChangesNothing"),
            Row.of(
                    "releases another",
                    ofFilter("/release", Mutations::ofAnother),
                    "aReleasedLockIsFree",
                    "aWaiterGetsAReleasedLock",
                    "aReleaseIsNotInterrupted",
                    "releaseIsConfirmedAfterAnyFault"),
            Row.of("releases all others", ofFilter("/release-all", Mutations::ofAnother), "closingReleasesAllLocks"),
            Row.of(
                    "does not compensate",
                    ofFilter("/release", filter -> filter.containsKey("fence") ? filter : ofAnother(filter)),
                    "aGrantThatStaysAmbiguousIsCompensated",
                    "interruptDuringACommandLeavesNoLease",
                    "unconfirmedGrantIsReleasedWhenTheServerRepliesAgain"),
            Row.of("keeps no minimum", ofFilter("/release-after", Mutations::ofAnother), "aReleaseKeepsTheMinimumHold"),
            Row.of(
                    "leaves the owner",
                    ofUpdate("/release", "\"$unset\": {\"owner\"", "\"$unset\": {\"nothing\""),
                    "aReleasedLockShowsNoHolder"),
            Row.of(
                    "renews by name only",
                    ofFilter("/renew", Mutations::byNameOnly),
                    "aLateRenewalChangesNothing",
                    "aRenewalThatComesLateChangesNothing"),
            Row.of(
                    "renews all by name only",
                    ofFilter("/renew-all", Mutations::byNameOnly),
                    "lossOfOneLockDoesNotAffectOthers"),
            Row.of("does not extend", ofUpdate("/renew", "\"$$NOW\"", "\"$acquiredAt\""), "aRenewedLeaseLastsLonger"),
            Row.of(
                    "shortens on renewal",
                    ofUpdate("/renew", "\"leaseMs\": {\"$max\"", "\"leaseMs\": {\"$min\""),
                    "aLongerRenewalIsNotShortened"),
            Row.of(
                    "counts renewals",
                    ofUpdate("/renew", "{\"$set\": {", "{\"$set\": {\"fence\": " + NEXT_TOKEN + ", "),
                    "tokenStaysOverRenewals",
                    "renewalIsConfirmedAfterAnyFault"),
            Row.of(
                    "reads the loss reason of another",
                    ofFilter("/loss-reason", Mutations::ofAnother),
                    "lossIsReportedOnce"),
            Row.of("shows another", ofFilter("/inspect", Mutations::ofAnother), "aHeldLockShowsItsHolder"),
            Row.of("evaluates names", ofFilter("/inspect", Mutations::evaluated), "anyTextIsAName"),
            Row.of(
                    "forces by name only",
                    ofFilter("/force-release", Mutations::byNameOnly),
                    "aForcedReleaseDoesNothingAfterAChange",
                    "aForcedReleaseDoesNotHitTheNextHolder",
                    "listedLockCanBeForceReleased"),
            Row.of(
                    "forces any holder",
                    ofFilter("/force-release", Mutations::ofWhomever),
                    "aForcedReleaseNeedsTheHolderThatWasSeen"),
            Row.of(
                    "forces without counting",
                    ofUpdate("/force-release", "\"$inc\": {\"fence\"", "\"$inc\": {\"nothing\""),
                    "tokenGrowsOverAForcedRelease",
                    "listedLockCanBeForceReleased"),
            Row.of(
                    "forces without a trace",
                    ofUpdate("/force-release", "\"forcedAt\": ", "\"other\": "),
                    "aForcedReleaseFreesTheLockAndTheHolderLearnsOfIt",
                    "listedLockCanBeForceReleased"),
            Row.of(
                    "grants held locks",
                    ofUpdate("/acquire-or-extend", EXPIRED, "true"),
                    "lockIsContendedForAllWhileALeaseIsLive",
                    "oneOfManyConcurrentCreatorsGetsTheLock",
                    "aLeaseIsLiveUntilItsEnd",
                    "waitingEndsAtTheDeadline",
                    "protectedDataIsChangedByOneAtATime",
                    "aGrantThatComesLateChangesNothingForTheNextHolder"),
            Row.of(
                    "keeps the trace of a forced release",
                    ofUpdate("/acquire-or-extend", "\"forcedAt\": ", "\"other\": "),
                    "takeoverIsReportedAsTakeover"),
            Row.of(
                    "never takes over",
                    ofUpdate("/acquire-or-extend", EXPIRED, "false"),
                    "anExpiredLeaseFreesTheLock",
                    "aWaiterGetsAnExpiredLock"),
            Row.of(
                    "begins at one",
                    on(
                            new InsertUniqueStrategy(),
                            ofUpdate("/insert", "{\"$toLong\": \"$$NOW\"}", "{\"$numberLong\": \"1\"}")),
                    "tokenGrowsOverACleanUp"),
            Row.of(
                    "does not count",
                    ofUpdate("/acquire-or-extend", NEXT_TOKEN, "{\"$numberLong\": \"1\"}"),
                    "tokenGrowsOverATakeover",
                    "protectedDataIsChangedByOneAtATime"),
            Row.of(
                    "grants locks last seen released",
                    ofFilter("/acquire-released", Mutations::byNameOnly),
                    "lockIsContendedForAllWhileALeaseIsLive"),
            Row.of(
                    "does not count a released lock",
                    ofUpdate("/acquire-released", "\"$inc\": {\"fence\"", "\"$inc\": {\"nothing\""),
                    "tokenGrowsOverARelease"),
            Row.of(
                    "joins ahead of all",
                    byWaiters(
                            Pattern.compile("(listed\"]}, \\{\"\\$concatArrays\": )\\[(\"\\$\\$listed\"), (\\[.*?])]"),
                            "$1[$3, $2]"),
                    "waitersAreServedInOrder"),
            Row.of(
                    "joins with each attempt",
                    byWaiters(
                            Pattern.compile("\\{\"\\$not\": \\[\\{\"\\$in\": \\[[^\\[]*?, \"\\$\\$listed\"]}]}"),
                            "true"),
                    "aRetryAddsNoSecondEntry"),
            Row.of(
                    "leaves only when served",
                    ofFilter("/unregister", Mutations::ofAnother),
                    "interruptedWaiterLeavesTheList",
                    "aClosedClientLeavesTheList"),
            Row.of(
                    "stays in the list when served",
                    byWaiters(
                            Pattern.compile("(\"\\$\\$position\", [^]]*]}, \"cond\": )\\{\"\\$ne\": \\[[^]]*]}"),
                            "$1true"),
                    "theListIsEmptyAfterTheLastWaiter"),
            Row.of(
                    "ignores the list",
                    ofUpdate("/acquire-or-extend", CLAIM_TIME, "{\"$numberLong\": \"0\"}"),
                    "aTryDoesNotOvertakeWaiters"),
            Row.of(
                    "passes nobody over",
                    ofUpdate("/acquire-or-extend", CLAIM_TIME, "{\"$numberLong\": \"1000000\"}"),
                    "waitersThatDiedArePassedOver"),
            Row.of(
                    "names no next waiter",
                    ofUpdate("/release", "\"$rename\": {\"next\": \"turn\"}", "\"$unset\": {\"next\": true}"),
                    "waitersAreServedInOrder"),
            Row.of(
                    "locks everything",
                    ofFilter("", filter -> renamed(filter, name -> "everything")),
                    "locksOfOtherNamesAreFree"),
            Row.of(
                    "cuts names",
                    ofFilter("", filter -> renamed(filter, name -> name.substring(0, Math.min(name.length(), 270)))),
                    "theLongestNameIsAName"),
            Row.of(
                    "folds names",
                    ofFilter(
                            "",
                            filter -> renamed(
                                    filter,
                                    name -> Normalizer.normalize(name, Normalizer.Form.NFC)
                                            .toLowerCase(Locale.ROOT))),
                    "similarNamesAreDifferentLocks"));

    private Mutations() {}

    /** Replaces a part of an update. */
    private static Mistake ofUpdate(String label, String right, String wrong) {
        Pattern part = Pattern.compile(Pattern.quote(right));
        return Mutation.ofUpdate(label, before -> otherwise(before, part, Matcher.quoteReplacement(wrong)));
    }

    /** Replaces a part of the attempts of waiters. */
    private static Mistake byWaiters(Pattern right, String wrong) {
        UnaryOperator<UpdateSpec> change = before -> otherwise(before, right, wrong);
        return new Mutation("/acquire-or-extend", true, UnaryOperator.identity(), change).mistake();
    }

    private static Mistake on(LockStrategy other, Mistake mistake) {
        return strategy(sound -> mistake.in(other));
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
