package org.mongolocks.study.process;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import org.mongolocks.study.process.message.ChildMessage.Usage;

/** The memory and threads of client processes over time, and whether they grew. Thread-safe. */
final class ClientUsage {
    /** How much the memory may differ without being growth, in bytes. */
    static final long HEAP_SLACK = 12L << 20;

    /**
     * How much the number of threads outside of the pools of open clients may differ: those of the driver, and of a client
     * that is being closed.
     */
    static final int THREAD_SLACK = 15;

    /** With fewer readings of a process nothing is said about it. */
    static final int MIN_READINGS = 9;

    private static final int PARTS = 3;

    private final Map<Integer, List<Usage>> readings = new HashMap<>();
    private final List<String> grown = new ArrayList<>();
    private Usage largest = new Usage(0, 0, 0);

    synchronized void add(int client, Usage usage) {
        readings.computeIfAbsent(client, id -> new ArrayList<>()).add(usage);
        largest = new Usage(
                Math.max(largest.heapBytes(), usage.heapBytes()),
                Math.max(largest.threads(), usage.threads()),
                Math.max(largest.otherThreads(), usage.otherThreads()));
    }

    /** Compares the first third of the readings of a process with its last third, and forgets them. */
    synchronized void ended(int client) {
        List<Usage> all = readings.remove(client);
        if (all != null && all.size() >= MIN_READINGS) {
            compare(client, all, "heap, in bytes,", HEAP_SLACK, Usage::heapBytes);
            compare(
                    client,
                    all,
                    "number of threads outside of the pools of open clients",
                    THREAD_SLACK,
                    Usage::otherThreads);
        }
    }

    /** Returns a sentence for each process that grew. */
    synchronized List<String> grown() {
        return List.copyOf(grown);
    }

    /** Returns the largest memory and the largest number of threads of any process. */
    synchronized Usage largest() {
        return largest;
    }

    private void compare(int client, List<Usage> all, String what, long slack, ToLongFunction<Usage> value) {
        int third = all.size() / PARTS;
        OptionalLong first = all.subList(0, third).stream().mapToLong(value).max();
        OptionalLong last = all.subList(all.size() - third, all.size()).stream()
                .mapToLong(value)
                .min();
        if (last.orElse(0) > first.orElse(0) + slack) {
            grown.add("client " + client + ": the " + what + " grew from " + first.orElse(0) + " to " + last.orElse(0));
        }
    }
}
