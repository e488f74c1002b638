package org.mongolocks.study.matrix;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.mongolocks.study.check.Finding;

/**
 * Is what was found in all runs of one scenario with one technique.
 *
 * @param scenario the row
 * @param technique the column
 * @param runs how many runs there were
 * @param findings in how many of them each thing was found; those that were not are missing
 * @param examples the shortest counter-example of each that was found
 * @param recoveriesNanos how long it took after each crash of a holder until another got the lock, in order of length
 * @param totals what was counted
 */
public record Cell(
        String scenario,
        String technique,
        int runs,
        Map<Finding, Integer> findings,
        Map<Finding, Example> examples,
        List<Long> recoveriesNanos,
        Totals totals) {

    /**
     * Counts over all runs.
     *
     * @param grants how often somebody got the lock
     * @param aborts how often a holder gave its work up
     * @param commands how many commands were sent
     * @param events how many events were simulated
     * @param longestHandoffNanos how long somebody waited at most while nobody had the lock
     * @param mostRenewalsTooMany by how many the renewals of a grant were more than one for each third of a lease
     */
    public record Totals(
            long grants, long aborts, long commands, long events, long longestHandoffNanos, int mostRenewalsTooMany) {
        /** Counts nothing yet. */
        static final Totals NONE = new Totals(0, 0, 0, 0, 0);

        /**
         * Counts where nobody renews.
         *
         * @param grants how often somebody got the lock
         * @param aborts how often a holder gave its work up
         * @param commands how many commands were sent
         * @param events how many events were simulated
         * @param longestHandoffNanos how long somebody waited at most while nobody had the lock
         */
        public Totals(long grants, long aborts, long commands, long events, long longestHandoffNanos) {
            this(grants, aborts, commands, events, longestHandoffNanos, 0);
        }

        Totals plus(Totals other) {
            return new Totals(
                    grants + other.grants,
                    aborts + other.aborts,
                    commands + other.commands,
                    events + other.events,
                    Math.max(longestHandoffNanos, other.longestHandoffNanos),
                    Math.max(mostRenewalsTooMany, other.mostRenewalsTooMany));
        }
    }

    /**
     * Gives the shortest counter-example.
     *
     * @param finding of what
     * @return the example; empty if that was not found
     */
    public Optional<Example> example(Finding finding) {
        return Optional.ofNullable(examples.get(finding));
    }

    /** Gives the same with other examples. */
    Cell showing(Map<Finding, Example> others) {
        return new Cell(scenario, technique, runs, findings, others, recoveriesNanos, totals);
    }

    /**
     * Tells in how many runs something was found.
     *
     * @param finding what
     * @return how many
     */
    public int count(Finding finding) {
        return findings.getOrDefault(finding, 0);
    }

    /**
     * Gives a recovery time.
     *
     * @param quantile from 0, the shortest, to 1, the longest
     * @return the time in nanoseconds; empty if nobody recovered
     */
    public OptionalLong recovery(double quantile) {
        int last = recoveriesNanos.size() - 1;
        return last < 0
                ? OptionalLong.empty()
                : OptionalLong.of(recoveriesNanos.get((int) Math.round(quantile * last)));
    }

    /**
     * Gives what a grant costs.
     *
     * @return commands for each grant
     */
    public double commandsPerGrant() {
        return totals.grants() == 0 ? 0 : totals.commands() / (double) totals.grants();
    }
}
