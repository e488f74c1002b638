package org.mongolocks.study.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Matrix;

/** Tests that a row has a place for each technique, even without a cell. */
class NotOfferedTest {
    @Test
    void unsupportedScenarioIsAnEmptyCell() {
        Matrix matrix = new Matrix(
                List.of(cell("healthy", "article"), cell("healthy", "shipped"), cell("reentrant", "shipped")));

        String row = new StudyPage(matrix, Map.of())
                .html()
                .lines()
                .filter(line -> line.contains("id=\"row-reentrant\""))
                .findFirst()
                .orElseThrow();

        assertThat(row).containsSubsequence("<td title=", "></td>", "<td class=\"SOUND\">");
    }

    private static Cell cell(String scenario, String technique) {
        return new Cell(scenario, technique, 1, Map.of(), Map.of(), List.of(), new Cell.Totals(0, 0, 0, 0, 0));
    }
}
