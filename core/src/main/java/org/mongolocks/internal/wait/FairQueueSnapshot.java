package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The server queue of a lock as last read: the owners with a ticket, and how long each ticket would last.
 *
 * @param tickets the tickets that had not expired, in order
 * @param isWhole whether these were all tickets; otherwise there may be others behind them
 * @param grantedAfterNanos a time of the client before the newest ticket that was granted the lock was removed; at most a
 *     round trip before, so that a release reported earlier is certainly older; empty if no ticket was granted the
 *     lock since the queue was empty
 */
record FairQueueSnapshot(List<Entry> tickets, boolean isWhole, OptionalLong grantedAfterNanos) {
    /** The position of an owner without a ticket. */
    static final int MISSING = Integer.MAX_VALUE;

    /** One ticket: its owner, and when it expires unless it is renewed. */
    record Entry(String owner, Duration left) {}

    FairQueueSnapshot {
        tickets = List.copyOf(tickets);
    }

    boolean isEmpty() {
        return tickets.isEmpty();
    }

    boolean isOnly(String owner) {
        return isWhole && tickets.size() == 1 && tickets.get(0).owner().equals(owner);
    }

    boolean isFirst(String owner) {
        return !tickets.isEmpty() && tickets.get(0).owner().equals(owner);
    }

    /** Returns the position of each owner; the first is zero. */
    Map<String, Integer> positions() {
        Map<String, Integer> positions = new HashMap<>();
        tickets.forEach(ticket -> positions.put(ticket.owner(), positions.size()));
        return positions;
    }

    /** Returns whether a ticket was granted the lock after a release that was reported then. */
    boolean isGrantedAfter(long releasedNanos) {
        return grantedAfterNanos.isPresent() && grantedAfterNanos.getAsLong() - releasedNanos > 0;
    }

    /** Returns when the last ticket before a position expires, unless it is renewed. */
    Duration lastBefore(int position) {
        return tickets.stream()
                .limit(position)
                .map(Entry::left)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }
}
