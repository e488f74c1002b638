package org.mongolocks.study.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Matrix;

class StudySummaryTest {
    private static final String STRATEGY = "flag-update";
    private static final String ARTICLE = "textbook-flag-update";

    private final List<Cell> cells = new ArrayList<>();

    @Test
    void columnsCountWhatTheListNames() {
        cell("healthy", STRATEGY);
        cell("holder-pause", STRATEGY, Finding.STALE_UNFENCED);
        cell("server-ahead", STRATEGY, Finding.HELD_TWICE);
        cell("dropped-collection", STRATEGY, Finding.HELD_TWICE);

        String summary = summary();

        assertThat(summary)
                .containsPattern(STRATEGY + " +4 +1 +1 +2  server-ahead: held twice\n")
                .contains("failed under 2 faults, documented in docs/guarantees.md:\n");
        assertThat(summary.lines().filter(line -> line.matches("  [a-z].* of .*")))
                .hasSize(2);
    }

    @Test
    @Tag("finds:study-summary-counts")
    void eachFaultHasItsRemedy() {
        cell("dropped-collection", STRATEGY, Finding.HELD_TWICE);

        assertThat(summary()).contains("""
            failed under 1 fault, documented in docs/guarantees.md:
              dropped-collection            1 of 1  held twice
                  Stop all clients before the lock collection is dropped or renamed.\
            """);
    }

    @Test
    void failureThatIsNoKnownLimitIsCalledADefect() {
        cell("holder-crash", STRATEGY, Finding.LEAK);
        cell("server-ahead", STRATEGY, Finding.HELD_TWICE);

        assertThat(summary())
                .contains("failed under 2 faults, 1 documented in docs/guarantees.md:")
                .contains("Not documented, so a defect of flag-update.")
                .contains("./study --scenario holder-crash");
    }

    @Test
    void articlesThatRanAloneAreListedWithWhatToUseInstead() {
        cell("holder-crash", ARTICLE, Finding.LEAK);

        assertThat(summary())
                .contains("The lock of a published technique failed under 1 fault:\n  holder-crash ")
                .contains("flag-update keeps the protocol of one update")
                .doesNotContain("documented");
    }

    @Test
    void linesFitATerminal() {
        for (String fault : List.of("server-ahead", "leader-forced", "in-order-crash", "healthy")) {
            cell(fault, STRATEGY, Finding.HELD_TWICE);
        }

        assertThat(summary().lines()).allMatch(line -> line.length() <= 100);
    }

    @Test
    @Tag("finds:published-that-did-not-run")
    void pageShowsOnlyTheArticlesThatRan() {
        cell("healthy", STRATEGY);
        assertThat(new StudyPage(new Matrix(cells), Map.of()).html()).doesNotContain("The published techniques");

        cell("healthy", ARTICLE);
        assertThat(new StudyPage(new Matrix(cells), Map.of()).html())
                .contains("The published techniques", "published-" + ARTICLE)
                .doesNotContain("published-textbook-counter-expiry");
    }

    private String summary() {
        return StudySummary.of(new Matrix(cells));
    }

    private void cell(String scenario, String technique, Finding... findings) {
        Map<Finding, Integer> found = findings.length == 0 ? Map.of() : Map.of(findings[0], 1);
        cells.add(new Cell(scenario, technique, 1, found, Map.of(), List.of(), new Cell.Totals(0, 0, 0, 0, 0)));
    }
}
