package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.mongolocks.study.check.Violation.Finding;

/**
 * Checks that tokens are unique and grow: from a grant whose reply had arrived to one that was requested later, and
 * from a hold that had certainly ended to one that had certainly begun. The tokens determine the order of the grants,
 * so no search is needed: O(n log n).
 */
final class FencingTokenCheck {
    private FencingTokenCheck() {}

    static List<Violation> check(List<Grant> grants) {
        List<Violation> found = new ArrayList<>(reused(grants));
        found.addAll(wentBack(grants, Grant::okNanos, Grant::invokedNanos));
        List<Grant> held = grants.stream()
                .filter(grant -> grant.okNanos() < grant.definiteEndNanos())
                .toList();
        found.addAll(wentBack(held, Grant::definiteEndNanos, Grant::okNanos));
        return found;
    }

    private static List<Violation> reused(List<Grant> grants) {
        List<Violation> found = new ArrayList<>();
        Map<Long, Grant> byToken = new HashMap<>();
        for (Grant grant : Grant.sorted(grants, Comparator.comparingLong(Grant::okNanos))) {
            Grant other = byToken.putIfAbsent(grant.token(), grant);
            if (other != null) {
                found.add(new Violation(Finding.TOKEN_REUSED, other.id(), grant.id(), grant.okNanos()));
            }
        }
        return found;
    }

    /** Compares each grant with the largest token of the grants that had ended when it began. */
    private static List<Violation> wentBack(
            List<Grant> grants, ToLongFunction<Grant> end, ToLongFunction<Grant> beginning) {
        List<Violation> found = new ArrayList<>();
        List<Grant> byEnd = Grant.sorted(grants, Comparator.comparingLong(end));
        int over = 0;
        Grant largest = null;
        for (Grant grant : Grant.sorted(grants, Comparator.comparingLong(beginning))) {
            while (over < byEnd.size() && end.applyAsLong(byEnd.get(over)) < beginning.applyAsLong(grant)) {
                largest = larger(largest, byEnd.get(over++));
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
}
