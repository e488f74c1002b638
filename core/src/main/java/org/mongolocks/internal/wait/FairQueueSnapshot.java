package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The server queue of a lock as last read: the owners with a ticket, and how long each ticket would last.
 *
 * @param stubs the tickets that had not expired, in order
 * @param isWhole whether these were all tickets; otherwise there may be others behind them
 */
record FairQueueSnapshot(List<Entry> stubs, boolean isWhole) {
    /** The position of an owner without a ticket. */
    static final int MISSING = Integer.MAX_VALUE;

    /** The public part of one ticket. */
    record Entry(String owner, Duration left) {}

    FairQueueSnapshot {
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

    /** Returns the position of each owner; the head's is zero. */
    Map<String, Integer> positions() {
        Map<String, Integer> positions = new HashMap<>();
        stubs.forEach(stub -> positions.put(stub.owner(), positions.size()));
        return positions;
    }

    /** Returns when the last ticket before a position expires, unless it is renewed. */
    Duration lastBefore(int position) {
        return stubs.stream()
                .limit(position)
                .map(Entry::left)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }
}
