package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.mongolocks.Owner;

/**
 * The server queue of a lock as last read: the owners with a ticket, and how long each ticket would last.
 *
 * <p>A ticket that was skipped is not before others, and neither are the other tickets of the same client: a process
 * that has died is dead for all of them.
 *
 * @param tickets the tickets that had not expired, in order
 * @param isWhole whether these were all tickets; otherwise there may be others behind them
 * @param startedNanos when the command began
 * @param grantedAfterNanos a time of the client before the newest ticket that was granted the lock was removed; at most a
 *     round trip before, so that a release reported earlier is certainly older; empty if no ticket was granted the
 *     lock since the queue was empty
 * @param gaveUpAfterNanos the same for the newest waiter that gave up
 */
record FairQueueSnapshot(
        List<Entry> tickets,
        boolean isWhole,
        long startedNanos,
        OptionalLong grantedAfterNanos,
        OptionalLong gaveUpAfterNanos) {
    /** The position of an owner without a ticket. */
    static final int MISSING = Integer.MAX_VALUE;

    /**
     * One ticket.
     *
     * @param owner its owner
     * @param left when it expires unless it is renewed
     * @param givenUp how many waiters have given up since it was last renewed; its owner may still count them
     * @param isSkipped whether it is marked as skipped
     */
    record Entry(String owner, Duration left, int givenUp, boolean isSkipped) {
        private String instance() {
            return Owner.parse(owner).map(Owner::instance).orElse(owner);
        }
    }

    FairQueueSnapshot {
        tickets = List.copyOf(tickets);
    }

    boolean isEmpty() {
        return tickets.isEmpty();
    }

    /** Returns whether there is a ticket that was not skipped. */
    boolean hasWaiters() {
        return !before("").isEmpty();
    }

    boolean isOnly(String owner) {
        return isWhole && tickets.size() == 1 && tickets.get(0).owner().equals(owner);
    }

    /** Returns the place of each owner in the order of arrival; the first is zero. */
    Map<String, Integer> places() {
        Map<String, Integer> places = new HashMap<>();
        tickets.forEach(ticket -> places.put(ticket.owner(), places.size()));
        return places;
    }

    /** Returns whether the ticket of an owner is marked as skipped. */
    boolean isSkipped(String owner) {
        return tickets.stream()
                .anyMatch(ticket -> ticket.isSkipped() && ticket.owner().equals(owner));
    }

    /** Returns a queue of which nothing is known. */
    static FairQueueSnapshot unknown(long nowNanos) {
        return new FairQueueSnapshot(List.of(), false, nowNanos, OptionalLong.empty(), OptionalLong.empty());
    }

    /** Returns how many tickets are before that of an owner, or {@link #MISSING}. */
    int position(String owner) {
        return tickets.stream().anyMatch(ticket -> ticket.owner().equals(owner))
                ? before(owner).size()
                : MISSING;
    }

    /**
     * Returns after how many turns some tickets before another may be skipped: one for each client, and one for each
     * waiter that such a client may still count before its own ticket.
     */
    static long turns(List<Entry> before) {
        return clients(before) + before.stream().mapToInt(Entry::givenUp).max().orElse(0);
    }

    /** Returns how many clients have some tickets. */
    static long clients(List<Entry> tickets) {
        return tickets.stream().map(Entry::instance).distinct().count();
    }

    /** Returns how many of some tickets are of the first clients. */
    static int ticketsOfFirst(long clients, List<Entry> before) {
        Set<String> first =
                before.stream().map(Entry::instance).distinct().limit(clients).collect(Collectors.toSet());
        return (int) before.stream()
                .filter(ticket -> first.contains(ticket.instance()))
                .count();
    }

    /** Returns the owners of the tickets before that of an owner that are not marked as skipped. */
    List<String> unmarkedBefore(String owner) {
        return tickets.stream()
                .takeWhile(ticket -> !ticket.owner().equals(owner))
                .filter(ticket -> !ticket.isSkipped())
                .map(Entry::owner)
                .toList();
    }

    /** Returns the tickets before that of an owner, or all if the owner has none; without skipped ones. */
    List<Entry> before(String owner) {
        Set<String> skipped =
                tickets.stream().filter(Entry::isSkipped).map(Entry::instance).collect(Collectors.toSet());
        return tickets.stream()
                .takeWhile(ticket -> !ticket.owner().equals(owner))
                .filter(ticket -> !skipped.contains(ticket.instance()))
                .toList();
    }

    /**
     * Returns the tickets before that of an owner that should not have been granted the lock since: the one that the
     * newest release is for, and some after it.
     */
    List<Entry> notGrantedBefore(String owner, int grantsAfter) {
        List<Entry> before = before(owner);
        int granted = Math.max(0, before.size() - 1 - grantsAfter);
        return before.subList(granted, before.size());
    }

    /** Returns whether a ticket was granted the lock after a release that was reported then. */
    boolean isGrantedAfter(long releasedNanos) {
        return grantedAfterNanos.isPresent() && grantedAfterNanos.getAsLong() - releasedNanos > 0;
    }

    /** Returns when the first of the tickets before that of an owner expires, unless it is renewed. */
    Duration firstExpiryBefore(String owner) {
        return before(owner).stream().map(Entry::left).min(Duration::compareTo).orElse(Duration.ZERO);
    }
}
