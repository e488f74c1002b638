package org.mongolocks.study.waiting;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.mongolocks.reporting.Json;
import org.mongolocks.reporting.Markdown;

/** The results as a table for readers and as JSON for programs. The same results give the same bytes. */
public record WaitingReport(long seed, List<WaitingResult> results) {
    /** How many numbers of clients fit into a line of the summary. */
    private static final int MAX_SHOWN = 6;

    private static final double MEDIAN = 0.5;
    private static final double TAIL = 0.99;
    private static final List<Column> COLUMNS = List.of(
            new Column("load", one -> one.its().title()),
            new Column("strategy", one -> one.its().technique().name()),
            new Column("clients", one -> Integer.toString(one.its().clients())),
            new Column("locks", one -> Integer.toString(one.its().locks())),
            new Column("grants", one -> Long.toString(one.allGrants())),
            new Column("commands a grant", one -> decimal(one.commandsPerGrant(), 2)),
            new Column("stream commands a grant", one -> decimal(one.streamCommandsPerGrant(), 1)),
            new Column("commands/s", one -> perSecond(one.allCommands(), one)),
            new Column("stream commands/s", one -> perSecond(one.streams().commands(), one)),
            new Column("hand-over p50, ms", one -> decimal(one.handoverMillis(MEDIAN), 1)),
            new Column("p99, ms", one -> decimal(one.handoverMillis(TAIL), 1)),
            new Column("p50 / floor", one -> decimal(toFloor(one), 2)),
            new Column("grants a client", one -> one.leastGrants() + " to " + one.mostGrants()),
            new Column("Jain", one -> decimal(one.jain(), 2)),
            new Column("longest wait, s", one -> decimal(OptionalDouble.of(one.longestWaitNanos() / 1e9), 1)),
            new Column("ms a dead client", one -> decimal(one.millisPerDeadClient(), 0)));

    /** A column of the table. */
    private record Column(String name, Function<WaitingResult, String> value) {}

    /** Returns the two most important columns of the table, with a line for each strategy and load. */
    public String summary() {
        return block("commands a grant", WaitingResult::commandsPerGrant)
                + "\n\n"
                + block("median hand-over, ms", one -> one.handoverMillis(MEDIAN));
    }

    private String block(String title, Function<WaitingResult, OptionalDouble> value) {
        List<Integer> clients = results.stream()
                .map(one -> one.its().clients())
                .distinct()
                .sorted()
                .limit(MAX_SHOWN)
                .toList();
        Map<String, Map<Integer, String>> lines = new LinkedHashMap<>();
        results.forEach(one -> lines.computeIfAbsent(summaryName(one.its()), name -> new HashMap<>())
                .put(one.its().clients(), decimal(value.apply(one), 1)));
        String head = summaryLine(title + " by clients", clients.stream().map(String::valueOf));
        return lines.entrySet().stream()
                .map(line -> summaryLine(
                        line.getKey(),
                        clients.stream().map(many -> line.getValue().getOrDefault(many, ""))))
                .collect(Collectors.joining("\n", head + "\n", ""));
    }

    private static String summaryName(WaitingCase its) {
        String many = its.load().isOfOneLock() ? "" : " (" + its.locks() + ")";
        return its.technique().name() + ", " + its.title() + many;
    }

    private static String summaryLine(String first, Stream<String> values) {
        return values.map(value -> String.format(Locale.ROOT, "%7s", value))
                .collect(Collectors.joining("", String.format(Locale.ROOT, "%-58s", first), ""))
                .stripTrailing();
    }

    /** Returns a table in Markdown. */
    public String table() {
        return Markdown.table(
                COLUMNS.stream().map(Column::name).toList(),
                results.stream()
                        .map(one -> COLUMNS.stream()
                                .map(column -> column.value().apply(one))
                                .toList())
                        .toList());
    }

    /**
     * Returns what was measured for goals, as a table in Markdown.
     *
     * @param goals the goals, whose cases have all been run
     */
    public String goals(List<WaitingGoal> goals) {
        Map<WaitingCase, WaitingResult> byCase =
                results.stream().collect(Collectors.toMap(WaitingResult::its, one -> one));
        return Markdown.table(
                List.of("load", "clients", "measure", "at most", "measured", ""),
                goals.stream()
                        .map(goal -> cells(goal, Objects.requireNonNull(byCase.get(goal.its()))))
                        .toList());
    }

    private static List<String> cells(WaitingGoal goal, WaitingResult result) {
        double measured = goal.measured(result);
        return List.of(
                goal.its().title(),
                Integer.toString(goal.its().clients()),
                goal.measure().title(),
                number(goal.atMost()),
                number(measured),
                measured <= goal.atMost() ? "" : "missed");
    }

    /** Returns three figures of a number, or all that are before the point. */
    private static String number(double value) {
        OptionalDouble finite = Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
        return decimal(finite, value < 10 ? 2 : value < 100 ? 1 : 0);
    }

    private static OptionalDouble toFloor(WaitingResult one) {
        OptionalDouble median = one.handoverMillis(MEDIAN);
        return median.isEmpty() ? median : OptionalDouble.of(median.getAsDouble() / WaitingCase.floorMillis(MEDIAN));
    }

    private static String perSecond(long number, WaitingResult one) {
        return decimal(OptionalDouble.of(number / one.seconds()), 0);
    }

    private static String decimal(OptionalDouble value, int digits) {
        return value.isEmpty() ? "–" : String.format(Locale.ROOT, "%." + digits + "f", value.getAsDouble());
    }

    /** Returns the results as JSON. */
    public String json() {
        return Json.indented(new BsonDocument("format", new BsonInt32(1))
                        .append("seed", new BsonInt64(seed))
                        .append("floorMedianMillis", new BsonDouble(rounded(WaitingCase.floorMillis(MEDIAN))))
                        .append("floor99Millis", new BsonDouble(rounded(WaitingCase.floorMillis(TAIL))))
                        .append(
                                "runs",
                                new BsonArray(results.stream()
                                        .map(WaitingReport::json)
                                        .toList())))
                + "\n";
    }

    private static BsonDocument json(WaitingResult one) {
        BsonDocument commands = new BsonDocument();
        one.commands().forEach((name, number) -> commands.append(name, new BsonInt64(number)));
        BsonDocument json = new BsonDocument(
                        "load", new BsonString(one.its().load().name()))
                .append("order", new BsonString(one.its().order().name()))
                .append("technique", new BsonString(one.its().technique().name()))
                .append("clients", new BsonInt32(one.its().clients()))
                .append("locks", new BsonInt32(one.its().locks()))
                .append("seconds", new BsonDouble(one.seconds()))
                .append("grants", new BsonInt64(one.allGrants()))
                .append("leastGrantsOfAClient", new BsonInt32(one.leastGrants()))
                .append("mostGrantsOfAClient", new BsonInt32(one.mostGrants()))
                .append("commands", commands)
                .append("deadClients", new BsonInt32(one.dead()))
                .append("streamCommands", new BsonInt64(one.streams().commands()))
                .append("longestWaitMillis", new BsonDouble(rounded(one.longestWaitNanos() / 1e6)));
        append(json, "commandsPerGrant", one.commandsPerGrant());
        append(json, "streamCommandsPerGrant", one.streamCommandsPerGrant());
        append(json, "handoverMedianMillis", one.handoverMillis(MEDIAN));
        append(json, "handover99Millis", one.handoverMillis(TAIL));
        append(json, "jain", one.jain());
        append(json, "millisPerDeadClient", one.millisPerDeadClient());
        return json;
    }

    private static void append(BsonDocument json, String name, OptionalDouble value) {
        value.ifPresent(number -> json.append(name, new BsonDouble(rounded(number))));
    }

    private static double rounded(double value) {
        return Math.round(value * 1_000) / 1_000.0;
    }
}
