package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks that a release freed its own grant: when it was executed, no later grant may still have been held for certain.
 * O(n log n).
 */
final class Releases {
    private Releases() {}

    static List<Violation> check(List<Grant> grants) {
        List<Violation> found = new ArrayList<>();
        TreeMap<Long, Grant> byCommit = new TreeMap<>();
        grants.forEach(grant -> byCommit.put(grant.commit(), grant));
        grants.stream()
                .filter(grant -> grant.release().commit() > 0)
                .sorted(Comparator.comparingInt(Grant::id))
                .forEach(grant -> {
                    Map.Entry<Long, Grant> holder =
                            byCommit.lowerEntry(grant.release().commit());
                    if (holder != null && isStillHeld(holder.getValue(), grant)) {
                        long at = grant.release().answeredNanos();
                        found.add(new Violation(
                                Finding.FOREIGN_RELEASE,
                                grant.id(),
                                holder.getValue().id(),
                                at));
                    }
                });
        return found;
    }

    private static boolean isStillHeld(Grant holder, Grant releasing) {
        return holder.commit() > releasing.commit()
                && holder.definiteEndNanos() > releasing.release().answeredNanos();
    }
}
