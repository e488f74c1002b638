package org.mongolocks.benchmarks.page;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Is what stands above a picture.
 *
 * @param title what it shows
 * @param says how to read it
 */
record Heading(String title, String says) {
    private static final Set<String> MORE_IS_BETTER = Set.of("throughput", "jain");
    private static final Map<String, Heading> KNOWN = Map.ofEntries(
            known("B1 latency", "Acquire and release", "One thread, one lock that is free, again and again."),
            known(
                    "B1 ratioToFloor",
                    "Acquire and release against the floor",
                    "How many times its own floor each takes."),
            known("B1 allocation", "Memory that acquire and release allocate", "In the client, driver included."),
            known("B1 cpu", "Processor time of acquire and release", "In the client, driver included."),
            known("B2 latency", "A try that is refused", "One attempt for a lock that another holds."),
            known("B2 ratioToFloor", "A refused try against the floor", "The floor is one raw findAndModify."),
            known(
                    "B3 latency",
                    "Entering a lock again",
                    "A reentrant lock that its owner holds already: no command is sent."),
            known("B4 latency", "Renewal", "One renewal of a lock that is held."),
            known("B4 commands", "Holding a lock for a minute: commands", "With keep-alive, and nothing else to do."),
            known("B4 bytes", "Holding a lock for a minute: bytes", "With keep-alive, and nothing else to do."),
            known(
                    "B5 latency",
                    "Hand-off",
                    "From the release to the moment in which the next, who waits, has the lock."),
            known(
                    "B5 ratioToFloor",
                    "Hand-off against the floor",
                    "The floor is a raw release, its event, and one findAndModify."),
            known(
                    "B6 throughput",
                    "Grants of one lock",
                    "Many want one lock, and ask again as soon as they gave it back."),
            known(
                    "B6 commandsPerGrant",
                    "Commands for each grant",
                    "Everything sent for the lock, waiting included. Flat is good."),
            known("B6 jain", "Fairness", "Jain's index of the grants: 1 is even, 1 / waiters is all to one."),
            known("B6 longestWait", "Longest wait", "From asking for the lock to getting it, the unluckiest of all."),
            known("B7 throughput", "Many locks", "Several threads, each takes one of many locks."),
            known("B8 commands", "Waiters that wait: commands", "What those who wait for a lock that stays held send."),
            known("B9 recovery", "Recovery", "From the end of a holder that never releases to the next grant."),
            known(
                    "B9 ratioToFloor",
                    "Recovery against the ttl",
                    "How many times the ttl passes before the next has the lock."),
            known(
                    "B10 bytes",
                    "Bytes on the wire for each grant",
                    "Commands and replies of one acquire and one release."),
            known(
                    "B10 oplogEntries",
                    "Oplog entries for each grant",
                    "What a replica set copies for one acquire and one release."),
            known(
                    "B11 latency",
                    "Fixed rates",
                    "Acquisitions begin at fixed times; latency counts from then, so a stall is not hidden."),
            known("B13 latency", "Price of durability", "The same, waiting for a majority and the journal, and not."));

    private static Map.Entry<String, Heading> known(String key, String title, String says) {
        return Map.entry(key, new Heading(title, says));
    }

    static Heading of(Sheet sheet) {
        String metric = sheet.metric().name();
        Heading heading = KNOWN.getOrDefault(
                sheet.benchmark() + " " + metric, new Heading(sheet.benchmark() + ": " + words(metric), ""));
        return new Heading(heading.title(), (heading.says() + " " + direction(metric)).strip());
    }

    static boolean isMoreBetter(String metric) {
        return MORE_IS_BETTER.contains(metric);
    }

    private static String direction(String metric) {
        return isMoreBetter(metric) ? "More is better." : "Less is better.";
    }

    /** Makes words of a name: of {@code longestWait}, {@code longest wait}. */
    static String words(String name) {
        return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }
}
