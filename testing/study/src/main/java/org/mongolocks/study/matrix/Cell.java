package org.mongolocks.study.matrix;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.mongolocks.study.check.Checker.Verdict;
import org.mongolocks.study.check.Violation;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.example.CounterExample;
import org.mongolocks.study.history.CommandRecord;
import org.mongolocks.study.sim.Simulation.Outcome;

/**
 * The findings of all runs of one scenario with one technique.
 *
 * @param findings the number of runs with each finding; findings without runs are absent
 * @param examples the shortest counter-example of each finding
 * @param recoveriesNanos the times from each crash of a holder to the next grant, sorted
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
     * The counters over all runs.
     *
     * @param grants the number of grants
     * @param aborts how often a holder aborted its work
     * @param commands the number of commands sent
     * @param streamCommands how many of them were of change streams
     * @param events the number of simulated events
     * @param longestHandoffNanos the longest wait while the lock was not held
     * @param mostRenewalsTooMany the largest excess of renewals of a grant over one for each third of a lease
     * @param longestNanos the longest time of a finding, where it was measured
     */
    public record Totals(
            long grants,
            long aborts,
            long commands,
            long streamCommands,
            long events,
            long longestHandoffNanos,
            int mostRenewalsTooMany,
            Map<Finding, Long> longestNanos) {
        /** The counters before the first run. */
        static final Totals NONE = new Totals(0, 0, 0, 0, 0);

        /** Creates counters for runs without renewals and change streams. */
        public Totals(long grants, long aborts, long commands, long events, long longestHandoffNanos) {
            this(grants, aborts, commands, 0, events, longestHandoffNanos, 0, Map.of());
        }

        Totals plus(Totals other) {
            Map<Finding, Long> longest = new EnumMap<>(Finding.class);
            longest.putAll(longestNanos);
            other.longestNanos.forEach((finding, nanos) -> longest.merge(finding, nanos, Math::max));
            return new Totals(
                    grants + other.grants,
                    aborts + other.aborts,
                    commands + other.commands,
                    streamCommands + other.streamCommands,
                    events + other.events,
                    Math.max(longestHandoffNanos, other.longestHandoffNanos),
                    Math.max(mostRenewalsTooMany, other.mostRenewalsTooMany),
                    longest);
        }
    }

    /**
     * Returns the shortest counter-example of a finding.
     *
     * @return the example; empty if there is none
     */
    public Optional<Example> example(Finding finding) {
        return Optional.ofNullable(examples.get(finding));
    }

    /** Returns this cell with other examples. */
    Cell showing(Map<Finding, Example> others) {
        return new Cell(scenario, technique, runs, findings, others, recoveriesNanos, totals);
    }

    /** Returns in how many runs something was found. */
    public int count(Finding finding) {
        return findings.getOrDefault(finding, 0);
    }

    /**
     * Returns a quantile of the recovery times.
     *
     * @param quantile from 0, the shortest, to 1, the longest
     * @return the time in nanoseconds; empty if there was no recovery
     */
    public OptionalLong recovery(double quantile) {
        int last = recoveriesNanos.size() - 1;
        return last < 0
                ? OptionalLong.empty()
                : OptionalLong.of(recoveriesNanos.get((int) Math.round(quantile * last)));
    }

    /** Returns the number of commands for each grant. */
    public double commandsPerGrant() {
        return totals.grants() == 0 ? 0 : totals.commands() / (double) totals.grants();
    }

    /**
     * Returns the number of commands of change streams for each grant.
     *
     * @return these commands for each grant, which are part of all
     */
    public double streamCommandsPerGrant() {
        return totals.grants() == 0 ? 0 : totals.streamCommands() / (double) totals.grants();
    }

    /** A counter-example with its run. */
    public record Example(long seed, CounterExample counterExample) {
        Example shorter(Example later) {
            int mine = counterExample.events().size();
            return later.counterExample.events().size() < mine ? later : this;
        }

        Example with(List<CommandRecord> ofRun) {
            return new Example(seed, counterExample.with(ofRun));
        }
    }

    /** Collects the runs of one cell. */
    static final class CellBuilder {
        private final Map<Finding, Integer> findings = new EnumMap<>(Finding.class);
        private final Map<Finding, Example> examples = new EnumMap<>(Finding.class);
        private final List<Long> recoveries = new ArrayList<>();
        private Cell.Totals totals = Cell.Totals.NONE;
        private int runs;

        void add(long seed, Outcome outcome, Verdict verdict) {
            runs++;
            for (Finding finding : Finding.values()) {
                if (verdict.has(finding)) {
                    findings.merge(finding, 1, Integer::sum);
                    examples.merge(finding, example(seed, outcome, verdict, finding), Example::shorter);
                }
            }
            recoveries.addAll(verdict.recoveriesNanos());
            totals = totals.plus(new Cell.Totals(
                    verdict.grants(),
                    verdict.aborts(),
                    outcome.commands(),
                    outcome.streamCommands(),
                    outcome.events(),
                    verdict.longestHandoffNanos(),
                    verdict.mostRenewalsTooMany(),
                    verdict.longestNanos()));
        }

        private static Example example(long seed, Outcome outcome, Verdict verdict, Finding finding) {
            Violation first = verdict.first(finding).orElseThrow();
            return new Example(seed, CounterExample.of(outcome.history(), first));
        }

        Cell build(String scenario, String technique) {
            Collections.sort(recoveries);
            return new Cell(scenario, technique, runs, findings, examples, List.copyOf(recoveries), totals);
        }
    }
}
