package org.mongolocks.benchmarks.measure;

/**
 * The number of violations of mutual exclusion.
 *
 * @param notAlone accesses that overlapped with another access
 * @param unorderedTokens accesses with a fencing token that was not greater than the previous one
 * @param lostUpdates accesses whose update was lost
 */
public record Violations(long notAlone, long unorderedTokens, long lostUpdates) {
    /** No violations. */
    public static final Violations NONE = new Violations(0, 0, 0);

    /** Returns the number of all violations; one incident may count in several ways. */
    public long total() {
        return notAlone + unorderedTokens + lostUpdates;
    }

    Violations plus(Violations others) {
        return new Violations(
                notAlone + others.notAlone, unorderedTokens + others.unorderedTokens, lostUpdates + others.lostUpdates);
    }
}
