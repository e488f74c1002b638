package org.mongolocks.study.exhaustive;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.study.sim.net.Network.Purpose;
import org.mongolocks.study.technique.ClientMistake;

/**
 * A strategy, or the client, with one small mistake, in which a search must find a counter-example.
 *
 * @param name the mistake
 * @param strategy the strategy that has it
 * @param label the end of the label of the command that is changed; no command has it if the client is wrong
 * @param right what the command says, as a regular expression on its filter and its update
 * @param wrong what it says instead
 * @param slips the mistakes of the client
 */
public record Twin(String name, String strategy, String label, Pattern right, String wrong, Set<Slip> slips)
        implements ClientMistake {
    private static final String EXPIRED = "{\"$lte\": [{\"$add\": [\"$renewedAt\", \"$leaseMs\"]}, \"$$NOW\"]}";
    private static final String LEASE = "\"leaseMs\": {\"$numberLong\": \"10000\"}";
    private static final String SHORTER = "\"leaseMs\": {\"$numberLong\": \"5000\"}";
    private static final String OWN_GRANT = "\"owner\": \"[^\"]*\", \"fence\": \\{[^}]*\\}";
    private static final String NONE = "no command";
    /** The end of the label of a command that does the same for several locks. */
    private static final String OF_ALL = "-all";
    /** Stands for the time on the clock of the client. */
    private static final String CLIENT_CLOCK = "@clock";

    private static final JsonWriterSettings TYPED =
            JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();

    private static final List<String> ALL = List.of(
            "findandmodify-counter",
            "flag-update",
            "insert-unique",
            "optimistic-version",
            "optimistic-version-clock-free",
            "transactional");
    private static final List<String> BY_PIPELINE =
            List.of("findandmodify-counter", "flag-update", "insert-unique", "transactional");
    private static final List<String> BY_VERSION = List.of("optimistic-version", "optimistic-version-clock-free");
    private static final List<String> BY_SERVER_CLOCK =
            List.of("findandmodify-counter", "flag-update", "insert-unique", "optimistic-version", "transactional");

    /** A mistake of the client. */
    public enum Slip {
        /** A holder does not notice that its lease has ended. */
        HOLDS_FOR_EVER,
        /** A lease counts from the reply, not from before the request. */
        COUNTS_FROM_REPLY,
        /** All clients are the same owner, as if its host were. */
        SHARES_OWNER,
        /** Writes do not wait for a majority. */
        AWAITS_NO_MAJORITY,
        /** A grant whose reply was lost is not released. */
        COMPENSATES_NOTHING,
        /** A commit is not sent. */
        NEVER_COMMITS
    }

    /** Returns the twins in which the search finds something. */
    public static List<Twin> all() {
        return Stream.of(
                        each(BY_PIPELINE, "grants held locks", "/acquire-or-extend", literal(EXPIRED), "true"),
                        each(BY_PIPELINE, "never takes over", "/acquire-or-extend", literal(EXPIRED), "false"),
                        each(
                                List.of("findandmodify-counter", "transactional"),
                                "takes over for half a lease",
                                "/acquire-or-extend",
                                literal(LEASE),
                                SHORTER),
                        each(
                                BY_SERVER_CLOCK,
                                "renews by the client's clock",
                                "/renew",
                                literal("\"$$NOW\""),
                                CLIENT_CLOCK),
                        each(
                                List.of("findandmodify-counter", "insert-unique", "transactional"),
                                "acquires by the client's clock",
                                "/acquire-or-extend",
                                literal("\"$$NOW\""),
                                CLIENT_CLOCK),
                        each(
                                List.of("findandmodify-counter", "flag-update"),
                                "does not count",
                                "/acquire-or-extend",
                                Pattern.compile(
                                        "\"fence\": \\{\"\\$max\": .*?\\]\\}, \\{\"\\$toLong\": \"\\$\\$NOW\"\\}\\]\\}"),
                                "\"fence\": {\"$numberLong\": \"1\"}"),
                        begins("findandmodify-counter", "/acquire-or-extend"),
                        begins("flag-update", "/set-flag"),
                        begins("insert-unique", "/insert"),
                        begins("optimistic-version", "/compare-and-set"),
                        begins("transactional", "/count"),
                        each(ALL, "renews any grant", "/renew", Pattern.compile(", " + OWN_GRANT), ""),
                        each(BY_SERVER_CLOCK, "does not extend", "/renew", literal("\"$$NOW\""), "\"$renewedAt\""),
                        each(
                                ALL,
                                "releases any grant",
                                "/release",
                                Pattern.compile(", \"owner\": \"[^\"]*\"(, \"fence\": \\{[^}]*\\})?"),
                                ""),
                        each(
                                List.of("flag-update"),
                                "sets a flag that is set",
                                "/set-flag",
                                literal("\"locked\": false, "),
                                ""),
                        each(
                                BY_VERSION,
                                "does not compare the version",
                                "/compare-and-set",
                                Pattern.compile(", \"version\": \\{\"\\$numberLong\": \"[0-9]*\"\\}"),
                                ""),
                        each(
                                BY_VERSION,
                                "does not raise the version",
                                "/compare-and-set",
                                literal("\"$inc\": {\"version\": {\"$numberLong\": \"1\"}}"),
                                "\"$inc\": {\"version\": {\"$numberLong\": \"0\"}}"),
                        ofClient(ALL, Slip.HOLDS_FOR_EVER, "ignores the end of its lease"),
                        ofClient(ALL, Slip.COUNTS_FROM_REPLY, "counts its lease from the reply"),
                        ofClient(ALL, Slip.SHARES_OWNER, "has the owner of another client"),
                        ofClient(ALL, Slip.AWAITS_NO_MAJORITY, "waits for no majority"),
                        ofClient(ALL, Slip.COMPENSATES_NOTHING, "compensates nothing"),
                        ofClient(List.of("transactional"), Slip.NEVER_COMMITS, "does not commit"))
                .flatMap(Function.identity())
                .toList();
    }

    private static Stream<Twin> each(List<String> strategies, String name, String label, Pattern right, String wrong) {
        return strategies.stream().map(strategy -> new Twin(name, strategy, label, right, wrong, Set.of()));
    }

    /** Tokens of a document that was deleted and created again would repeat. */
    private static Stream<Twin> begins(String strategy, String label) {
        return each(
                List.of(strategy),
                "begins at one",
                label,
                literal("{\"$toLong\": \"$$NOW\"}"),
                "{\"$numberLong\": \"1\"}");
    }

    private static Stream<Twin> ofClient(List<String> strategies, Slip slip, String name) {
        return strategies.stream()
                .map(strategy -> new Twin(name, strategy, NONE, Pattern.compile(""), "", EnumSet.of(slip)));
    }

    private static Pattern literal(String text) {
        return Pattern.compile(Pattern.quote(text));
    }

    boolean has(Slip slip) {
        return slips.contains(slip);
    }

    @Override
    public MongoOp sent(Purpose purpose, MongoOp op, long wallMillis) {
        return change(op, wallMillis);
    }

    /** Returns the operation that is sent in the place of another, at a time on the clock of the client. */
    MongoOp change(MongoOp op, long wallMillis) {
        if (!op.label().endsWith(label) && !op.label().endsWith(label + OF_ALL)) {
            return op;
        }
        String otherwise = wrong.replace(CLIENT_CLOCK, "{\"$date\": {\"$numberLong\": \"" + wallMillis + "\"}}");
        if (op instanceof MongoOp.UpdateOne write) {
            return new MongoOp.UpdateOne(
                    op.label(),
                    write.collection(),
                    changed(write.filter(), otherwise),
                    changed(write.change(), otherwise),
                    write.upsert());
        }
        if (op instanceof MongoOp.FindOneAndUpdate write) {
            return new MongoOp.FindOneAndUpdate(
                    op.label(),
                    write.collection(),
                    changed(write.filter(), otherwise),
                    changed(write.change(), otherwise),
                    write.upsert(),
                    write.projection());
        }
        if (op instanceof MongoOp.BulkUpdate bulk) {
            return new MongoOp.BulkUpdate(
                    op.label(),
                    bulk.collection(),
                    bulk.updates().stream()
                            .map(each -> new MongoOp.BulkUpdate.Update(
                                    changed(each.filter(), otherwise), changed(each.change(), otherwise)))
                            .toList());
        }
        return op instanceof MongoOp.DeleteOne delete
                ? new MongoOp.DeleteOne(op.label(), delete.collection(), changed(delete.filter(), otherwise))
                : op;
    }

    private UpdateSpec changed(UpdateSpec change, String otherwise) {
        return change.fold(
                operators -> UpdateSpec.operators(changed(operators, otherwise)),
                stages -> new UpdateSpec.Pipeline(
                        stages.stream().map(stage -> changed(stage, otherwise)).toList()));
    }

    private BsonDocument changed(BsonDocument document, String otherwise) {
        return BsonDocument.parse(
                right.matcher(document.toJson(TYPED)).replaceAll(Matcher.quoteReplacement(otherwise)));
    }
}
