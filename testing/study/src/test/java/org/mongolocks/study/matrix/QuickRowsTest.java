package org.mongolocks.study.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.scenario.Scenarios;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

class QuickRowsTest {
    /** Rows of a quick run show each difference of two techniques that all rows show. */
    @Test
    void quickRowsTellApartWhatAllRowsTellApart() {
        Map<String, Expected> expected = Expected.all();
        List<Scenario> rows = Scenarios.all();
        List<Scenario> quick = rows.stream().filter(Scenarios::isTelling).toList();
        List<Technique> techniques = Techniques.all();

        for (Technique one : techniques) {
            for (Technique other : techniques) {
                if (rows.stream().anyMatch(row -> areApart(expected, row, one, other))) {
                    assertThat(quick)
                            .as("%s and %s", one.name(), other.name())
                            .anyMatch(row -> areApart(expected, row, one, other));
                }
            }
        }
    }

    private static boolean areApart(Map<String, Expected> expected, Scenario row, Technique one, Technique other) {
        return row.isFor(one)
                && row.isFor(other)
                && (shows(expected, row, one, other) || shows(expected, row, other, one));
    }

    /** Returns whether a technique has a finding in each run that another never has. */
    private static boolean shows(Map<String, Expected> expected, Scenario row, Technique one, Technique other) {
        Expected its = expected.getOrDefault(row.name() + " " + one.name(), Expected.NOTHING);
        Expected others = expected.getOrDefault(row.name() + " " + other.name(), Expected.NOTHING);
        return its.must().stream()
                .anyMatch(finding ->
                        !others.must().contains(finding) && !others.may().contains(finding));
    }
}
