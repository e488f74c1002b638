package org.mongolocks.benchmarks.measure;

import java.util.Collection;

/** Tells how evenly something was shared. */
public final class Fairness {
    private Fairness() {}

    /**
     * Gives Jain's index: 1 when all have the same share, 1/n when one of n has everything, 0 when there was nothing to
     * share.
     */
    public static double jain(Collection<Long> shares) {
        double sum = 0;
        double squares = 0;
        for (long share : shares) {
            sum += share;
            squares += (double) share * share;
        }
        return squares == 0 ? 0 : sum * sum / (shares.size() * squares);
    }
}
