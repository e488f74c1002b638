package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks that tokens are unique, and that a grant which was known before another was asked for has the smaller one. The
 * tokens fix the order of the grants, so that nothing has to be searched: O(n log n).
 */
final class TokenOrder {
    private TokenOrder() {}

    static List<Violation> check(List<Grant> grants) {
        List<Violation> found = new ArrayList<>(reused(grants));
        found.addAll(wentBack(grants));
        return found;
    }

    private static List<Violation> reused(List<Grant> grants) {
        List<Violation> found = new ArrayList<>();
        Map<Long, Grant> byToken = new HashMap<>();
        for (Grant grant : sorted(grants, Comparator.comparingLong(Grant::okNanos))) {
            Grant other = byToken.putIfAbsent(grant.token(), grant);
            if (other != null) {
                found.add(new Violation(Finding.TOKEN_REUSED, other.id(), grant.id(), grant.okNanos()));
            }
        }
        return found;
    }

    private static List<Violation> wentBack(List<Grant> grants) {
        List<Violation> found = new ArrayList<>();
        List<Grant> byEnd = sorted(grants, Comparator.comparingLong(Grant::okNanos));
        int known = 0;
        Grant largest = null;
        for (Grant grant : sorted(grants, Comparator.comparingLong(Grant::invokedNanos))) {
            while (known < byEnd.size() && byEnd.get(known).okNanos() < grant.invokedNanos()) {
                largest = larger(largest, byEnd.get(known++));
            }
            if (largest != null && largest.token() > grant.token()) {
                found.add(new Violation(Finding.TOKEN_WENT_BACK, largest.id(), grant.id(), grant.okNanos()));
            }
        }
        return found;
    }

    private static Grant larger(@Nullable Grant one, Grant other) {
        return one == null || one.token() < other.token() ? other : one;
    }

    private static List<Grant> sorted(List<Grant> grants, Comparator<Grant> order) {
        return grants.stream().sorted(order.thenComparingInt(Grant::id)).toList();
    }
}
