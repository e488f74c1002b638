package org.mongolocks.study.matrix;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.mongolocks.study.check.Finding;
import org.mongolocks.study.check.Verdict;
import org.mongolocks.study.simulation.Outcome;

/** Adds up the runs of one cell. */
final class CellBuilder {
    private final Map<Finding, Integer> findings = new EnumMap<>(Finding.class);
    private final Map<Finding, Long> firstSeeds = new EnumMap<>(Finding.class);
    private final List<Long> recoveries = new ArrayList<>();
    private Cell.Totals totals = new Cell.Totals(0, 0, 0, 0, 0);
    private int runs;

    void add(long seed, Outcome outcome, Verdict verdict) {
        runs++;
        for (Finding finding : Finding.values()) {
            if (verdict.has(finding)) {
                findings.merge(finding, 1, Integer::sum);
                firstSeeds.putIfAbsent(finding, seed);
            }
        }
        recoveries.addAll(verdict.recoveriesNanos());
        totals = totals.plus(new Cell.Totals(
                verdict.grants(),
                verdict.aborts(),
                outcome.commands(),
                outcome.events(),
                verdict.longestHandoffNanos()));
    }

    Cell build(String scenario, String technique) {
        Collections.sort(recoveries);
        return new Cell(scenario, technique, runs, findings, firstSeeds, List.copyOf(recoveries), totals);
    }
}
