package org.mongolocks.benchmarks.measure;

import java.util.Collection;

/** A measure of how evenly a resource was shared. */
public final class Fairness {
    private Fairness() {}

    /** Returns Jain's index: 1 if all shares are equal, 1/n if one of n has everything, 0 if nothing was shared. */
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
