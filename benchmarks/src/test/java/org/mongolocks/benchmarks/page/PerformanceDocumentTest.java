package org.mongolocks.benchmarks.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.benchmarks.report.ResultsSchema;

/** No figure in the document was typed by hand. */
class PerformanceDocumentTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final String BLOCK = "Before.\n<!-- figures: B5 latency -->\nold\n<!-- end -->\nAfter.\n";

    @ParameterizedTest
    @ValueSource(strings = {"performance", "performance-lag"})
    void theTablesAreThoseOfTheRunThatIsKept(String name) throws IOException {
        String document = Files.readString(DOCS.resolve(name + ".md"));
        String json = Files.readString(DOCS.resolve(name + ".json"));

        assertThat(PerformanceDocument.filled(document, Optional.of(json))).isEqualTo(document);
        assertThat(document)
                .contains("<!-- figures: circumstances -->", "<!-- figures: B1 latency -->")
                .doesNotContain("Not measured yet");
        assertThat(ResultsSchema.faults(json)).isEmpty();
    }

    @Test
    void aTableIsReplacedByTheFiguresOfARun() {
        String filled =
                PerformanceDocument.filled(BLOCK, Optional.of(SampleRun.full().json()));

        assertThat(filled)
                .startsWith("Before.\n<!-- figures: B5 latency -->\n\n| who | client | median |")
                .contains("| insert-unique | sync | 1.00 ms |", "1.11 (1.10–1.12) floor-hand-off |")
                .endsWith("\n\n<!-- end -->\nAfter.\n")
                .doesNotContain("old");
        assertThat(PerformanceDocument.filled(
                        filled, Optional.of(SampleRun.full().json())))
                .isEqualTo(filled);
    }

    @Test
    void whatTheRunLacksIsNotMadeUp() {
        SampleRun run = SampleRun.full().without(one -> "B5".equals(one.get("benchmark")));

        assertThat(PerformanceDocument.filled(BLOCK, Optional.of(run.json()))).contains("-->\nNot measured yet.\n<!--");
        assertThat(PerformanceDocument.filled(BLOCK, Optional.empty())).contains("-->\nNot measured yet.\n<!--");
    }

    @Test
    void theRunIsDescribed() {
        String block = BLOCK.replace("B5 latency", "circumstances");

        assertThat(PerformanceDocument.filled(
                        block, Optional.of(SampleRun.full().noisy().json())))
                .contains("`./compare --quick` on MongoDB 7.0.2, replica set of 3; 2 processors,", "**Noisy:**");
    }
}
