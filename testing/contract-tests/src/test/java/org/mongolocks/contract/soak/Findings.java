package org.mongolocks.contract.soak;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/** Counters of a run, and its violations. Thread-safe. */
final class Findings {
    private static final int MAX_KEPT = 20;

    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final LongAdder violated = new LongAdder();

    void count(String what) {
        counts.computeIfAbsent(what, key -> new LongAdder()).increment();
    }

    void violated(String how) {
        violated.increment();
        if (violations.size() < MAX_KEPT) {
            violations.add(how);
        }
    }

    long of(String what) {
        LongAdder count = counts.get(what);
        return count == null ? 0 : count.sum();
    }

    long violations() {
        return violated.sum();
    }

    /** Returns the first violations. */
    List<String> firstViolations() {
        return List.copyOf(violations);
    }

    Map<String, Long> counts() {
        Map<String, Long> sums = new TreeMap<>();
        counts.forEach((what, count) -> sums.put(what, count.sum()));
        return sums;
    }
}
