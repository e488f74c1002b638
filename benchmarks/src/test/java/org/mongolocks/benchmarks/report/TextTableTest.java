package org.mongolocks.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextTableTest {
    @Test
    void namesAreAlignedLeftAndNumbersRight() {
        TextTable table = new TextTable("name", "ms", "grants");
        table.row("a", "1.5", "3");
        table.row("longer", "12.5", "12345");

        assertThat(table.toString().lines())
                .containsExactly(
                        "name      ms  grants", //
                        "a        1.5       3",
                        "longer  12.5   12345");
    }

    @Test
    void remarkDoesNotWidenColumns() {
        TextTable table = new TextTable("name", "ms", "grants");
        table.row("a", "1", "2");
        table.row("b", "needs something else than this");

        assertThat(table.toString().lines())
                .containsExactly(
                        "name  ms  grants", //
                        "a      1       2",
                        "b     needs something else than this");
    }
}
