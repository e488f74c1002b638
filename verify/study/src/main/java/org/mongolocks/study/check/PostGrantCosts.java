package org.mongolocks.study.check;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;

/** Measures the cost of a grant after it was granted. O(n). */
final class PostGrantCosts {
    private static final int RENEWALS_IN_A_LEASE = 3;

    private PostGrantCosts() {}

    /**
     * Compares the number of renewals with the number needed: one in each third of a lease.
     *
     * @return the largest excess of any grant; negative if each had fewer
     */
    static int mostRenewalsTooMany(History history, List<Grant> grants) {
        Map<Integer, Integer> renewals = new HashMap<>();
        for (Event event : history.events()) {
            if (event.is(Op.RENEW, Phase.INVOKE)) {
                renewals.merge(event.grant(), 1, Integer::sum);
            }
        }
        long third = history.ttlNanos() / RENEWALS_IN_A_LEASE;
        return grants.stream()
                .filter(grant -> grant.release().invokedNanos() < Long.MAX_VALUE)
                .mapToInt(grant -> {
                    long held = grant.release().invokedNanos() - grant.okNanos();
                    return renewals.getOrDefault(grant.id(), 0) - (int) ((held + third - 1) / third);
                })
                .max()
                .orElse(0);
    }
}
