package org.mongolocks.benchmarks.report.chart;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The heading of a chart.
 *
 * @param title the quantity that the chart shows
 * @param says how to read it
 */
public record ChartHeading(String title, String says) {
    private static final Set<String> MORE_IS_BETTER = Set.of("throughput", "jain");
    private static final Map<String, String> BENCHMARKS = Map.ofEntries(
            Map.entry("B1", "acquire and release"),
            Map.entry("B5", "hand-off"),
            Map.entry("B6", "one lock that many want"),
            Map.entry("B9", "recovery"),
            Map.entry("B10", "one grant and its release"),
            Map.entry("B11", "fixed rates"),
            Map.entry("B14", "one lock, many processes"),
            Map.entry("B15", "many locks kept alive"));
    private static final Map<String, String> METRICS = Map.ofEntries(
            Map.entry("latency", "Time"),
            Map.entry("latency99", "Time that 99 of 100 do not exceed"),
            Map.entry("ratioToFloor", "Times the baseline"),
            Map.entry("cpuToFloor", "Processor time of the client, times the baseline"),
            Map.entry("allocationToFloor", "Memory that the client allocates, times the baseline"),
            Map.entry("throughput", "Operations a second"),
            Map.entry("B6 throughput", "Grants a second"),
            Map.entry("B14 throughput", "Grants a second"),
            Map.entry("commandsPerGrant", "Commands for each grant"),
            Map.entry("eventsPerGrant", "Commands for each grant that await events"),
            Map.entry("commands", "Commands"),
            Map.entry("jain", "Fairness"),
            Map.entry("longestWait", "Longest wait"),
            Map.entry("recovery", "Time until the next grant"),
            Map.entry("recoveryPerTtl", "Ttls until the next grant"),
            Map.entry("lossSignal", "Time until the holder knows the loss"),
            Map.entry("lossSignalPerTtl", "Ttls until the holder knows the loss"),
            Map.entry("cpu", "Processor time of the client"),
            Map.entry("allocation", "Memory that the client allocates"),
            Map.entry("bytes", "Bytes on the wire"),
            Map.entry("oplogEntries", "Oplog entries"),
            Map.entry("idleCommands", "Commands meanwhile"),
            Map.entry("idleCpu", "Processor time of the client meanwhile"));
    private static final Map<String, String> READING = Map.ofEntries(
            Map.entry("B1 latency", "One thread, one lock that is free, again and again."),
            Map.entry("B1 ratioToFloor", "How many times its own baseline each takes."),
            Map.entry("B5 latency", "From the release to the moment in which the next, who waits, has the lock."),
            Map.entry("B5 ratioToFloor", "The baseline is a raw release, its event, and one findAndModify."),
            Map.entry("B6 throughput", "All ask again as soon as they released the lock."),
            Map.entry("B6 commandsPerGrant", "Everything sent for the lock, waiting included. A flat line is good."),
            Map.entry("B6 jain", "Jain's index of the grants: 1 is even, near 0 is all to one."),
            Map.entry("B6 longestWait", "From asking to the grant, the unluckiest of all."),
            Map.entry("B9 recovery", "From the end of a holder that releases nothing, to the next grant."),
            Map.entry("B9 recoveryPerTtl", "1 is a ttl: no lock that rests on a ttl can be free much before."),
            Map.entry("B11 latency", "Counted from when a lock should have been asked for: who is held up counts too."),
            Map.entry(
                    "B11 latency99", "Counted from when a lock should have been asked for: who is held up counts too."),
            Map.entry("B14 latency", "From just before a release until any process has the lock."),
            Map.entry("B14 latency99", "From just before a release until any process has the lock."),
            Map.entry("B14 throughput", "Each process holds the lock for a millisecond, and asks again."),
            Map.entry(
                    "B14 commandsPerGrant",
                    "All that the processes send, without those that await events. A flat line is good."),
            Map.entry("B14 eventsPerGrant", "The commands besides that await change-stream events, getMore."),
            Map.entry("B14 jain", "Jain's index of the grants of each process: 1 is even."),
            Map.entry("B14 longestWait", "From asking to the grant, the unluckiest of all."),
            Map.entry("B15 idleCommands", "Keep-alive of that many locks with a ttl of 30 s, and nothing else to do."),
            Map.entry("B15 idleCpu", "The same: processor time in ten seconds."));

    public static ChartHeading of(ChartData data) {
        String metric = data.metric().name();
        String title =
                METRICS.getOrDefault(data.benchmark() + " " + metric, METRICS.getOrDefault(metric, words(metric)))
                        + ": "
                        + BENCHMARKS.getOrDefault(data.benchmark(), data.benchmark());
        String reading = READING.getOrDefault(data.benchmark() + " " + metric, "");
        return new ChartHeading(title, (reading + " " + direction(metric)).strip());
    }

    public static boolean isMoreBetter(String metric) {
        return MORE_IS_BETTER.contains(metric);
    }

    private static String direction(String metric) {
        return isMoreBetter(metric) ? "More is better." : "Less is better.";
    }

    /** Splits a camel-case name into words: {@code longestWait} becomes {@code longest wait}. */
    public static String words(String name) {
        return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }
}
