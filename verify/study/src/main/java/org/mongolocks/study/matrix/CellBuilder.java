package org.mongolocks.study.matrix;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.mongolocks.study.check.CounterExample;
import org.mongolocks.study.check.Finding;
import org.mongolocks.study.check.Verdict;
import org.mongolocks.study.check.Violation;
import org.mongolocks.study.sim.Outcome;

/** Collects the runs of one cell. */
final class CellBuilder {
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
                outcome.events(),
                verdict.longestHandoffNanos(),
                verdict.mostRenewalsTooMany()));
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
