package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/**
 * The order of the grants, compared with the order of the requests.
 *
 * @param inversions how many pairs were granted in the opposite order of their requests
 * @param longestBypass the largest number of later requests that were granted before a single earlier one
 * @param jain Jain's index of the grants per process: 1 if all got the same number, 1/n if one got all
 */
public record FairnessMeasure(long inversions, int longestBypass, double jain) {
    /** A waiter in the queue that got the lock. */
    private record Served(Event queued, Event granted) {}

    static FairnessMeasure of(List<Grant> grants) {
        List<Grant> asked = Grant.sorted(grants, Comparator.comparingLong(Grant::invokedNanos));
        Map<Integer, Integer> places = new HashMap<>();
        asked.forEach(grant -> places.put(grant.id(), places.size() + 1));
        CountingTree before = new CountingTree(asked.size());
        long inversions = 0;
        int longest = 0;
        for (Grant grant : Grant.sorted(grants, Comparator.comparingLong(Grant::okNanos))) {
            int place = places.getOrDefault(grant.id(), 0);
            int bypassedBy = before.above(place);
            inversions += bypassedBy;
            longest = Math.max(longest, bypassedBy);
            before.add(place);
        }
        return new FairnessMeasure(inversions, longest, jain(grants));
    }

    private static double jain(List<Grant> grants) {
        Map<Integer, Integer> grantsByProcess = new HashMap<>();
        grants.forEach(grant -> grantsByProcess.merge(grant.process(), 1, Integer::sum));
        double sum =
                grantsByProcess.values().stream().mapToDouble(count -> count).sum();
        double squares = grantsByProcess.values().stream()
                .mapToDouble(count -> count * (double) count)
                .sum();
        return squares == 0 ? 1 : sum * sum / (grantsByProcess.size() * squares);
    }

    /**
     * Checks fair requests: of two waiters that both got the lock, the one ahead in the queue got it first, both in the
     * server's order. O(n log n).
     */
    static List<Violation> outOfTurn(List<Event> events) {
        List<Served> served = served(events);
        List<Violation> found = new ArrayList<>();
        Event earliest = null;
        for (int i = served.size() - 1; i >= 0; i--) {
            Event granted = served.get(i).granted();
            if (earliest != null && earliest.commit() < granted.commit()) {
                found.add(new Violation(Finding.OUT_OF_TURN, earliest.grant(), granted.grant(), granted.atNanos()));
            }
            earliest = earliest == null || granted.commit() < earliest.commit() ? granted : earliest;
        }
        found.sort(Comparator.comparingLong(Violation::atNanos));
        return found;
    }

    /** Returns them in the order of the queue; a waiter whose entry was renewed keeps its position. */
    private static List<Served> served(List<Event> events) {
        Map<Integer, Event> queued = new HashMap<>();
        List<Served> served = new ArrayList<>();
        for (Event event : events) {
            if (event.op() == Op.QUEUED) {
                queued.putIfAbsent(event.grant(), event);
            } else if (event.is(Op.ACQUIRE, Phase.OK) && queued.containsKey(event.grant())) {
                served.add(new Served(queued.get(event.grant()), event));
            }
        }
        served.sort(Comparator.comparingLong(one -> one.queued().commit()));
        return served;
    }

    /** A Fenwick tree that counts numbers and returns how many are larger than a given one, each in O(log n). */
    private static final class CountingTree {
        private final int[] counts;
        private int size;

        CountingTree(int largest) {
            this.counts = new int[largest + 1];
        }

        void add(int number) {
            size++;
            for (int i = number; i < counts.length; i += i & -i) {
                counts[i]++;
            }
        }

        int above(int number) {
            int upTo = 0;
            for (int i = number; i > 0; i -= i & -i) {
                upTo += counts[i];
            }
            return size - upTo;
        }
    }
}
