package org.mongolocks.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Is the queue for a lock as the server showed it: who had a ticket then, and for how long it would last.
 *
 * @param stubs the tickets that had not run out, in order
 * @param isWhole whether there were no others; otherwise there may be others behind them
 */
record Queue(List<Stub> stubs, boolean isWhole) {
    /** The position of who has no ticket. */
    static final int MISSING = Integer.MAX_VALUE;

    /** What all can see of one ticket. */
    record Stub(String owner, Duration left) {}

    Queue {
        stubs = List.copyOf(stubs);
    }

    boolean isEmpty() {
        return stubs.isEmpty();
    }

    boolean isOnly(String owner) {
        return isWhole && stubs.size() == 1 && stubs.get(0).owner().equals(owner);
    }

    boolean isHead(String owner) {
        return !stubs.isEmpty() && stubs.get(0).owner().equals(owner);
    }

    /** Returns each owner's place, the head's is zero. */
    Map<String, Integer> positions() {
        Map<String, Integer> positions = new HashMap<>();
        stubs.forEach(stub -> positions.put(stub.owner(), positions.size()));
        return positions;
    }

    /** Tells when the last ticket before a position runs out, unless somebody renews it. */
    Duration lastBefore(int position) {
        return stubs.stream()
                .limit(position)
                .map(Stub::left)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }
}
