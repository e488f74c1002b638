package org.mongolocks.study.check;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The order of the grants, compared with the order of the requests.
 *
 * @param inversions how many pairs were granted in the opposite order of their requests
 * @param longestBypass the largest number of later requests that were granted before a single earlier one
 * @param jain Jain's index of the grants per process: 1 if all got the same number, 1/n if one got all
 */
public record FairnessMeasure(long inversions, int longestBypass, double jain) {

    static FairnessMeasure of(List<Grant> grants) {
        List<Grant> asked = sorted(grants, Comparator.comparingLong(Grant::invokedNanos));
        Map<Integer, Integer> places = new HashMap<>();
        asked.forEach(grant -> places.put(grant.id(), places.size() + 1));
        CountingTree before = new CountingTree(asked.size());
        long inversions = 0;
        int longest = 0;
        for (Grant grant : sorted(grants, Comparator.comparingLong(Grant::okNanos))) {
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

    private static List<Grant> sorted(List<Grant> grants, Comparator<Grant> order) {
        return grants.stream().sorted(order.thenComparingInt(Grant::id)).toList();
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
