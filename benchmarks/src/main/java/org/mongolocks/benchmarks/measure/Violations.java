package org.mongolocks.benchmarks.measure;

/**
 * Counts what never happens under a lock that excludes.
 *
 * @param notAlone visits during which somebody else was there too
 * @param unorderedTokens visits with a fencing token that was not larger than the one before
 * @param lostUpdates visits that left no trace in the data
 */
public record Violations(long notAlone, long unorderedTokens, long lostUpdates) {
    /** Says that nothing was seen. */
    static final Violations NONE = new Violations(0, 0, 0);

    /** Gives the number of all violations; one mishap may count in several ways. */
    public long total() {
        return notAlone + unorderedTokens + lostUpdates;
    }

    Violations plus(Violations others) {
        return new Violations(
                notAlone + others.notAlone, unorderedTokens + others.unorderedTokens, lostUpdates + others.lostUpdates);
    }
}
