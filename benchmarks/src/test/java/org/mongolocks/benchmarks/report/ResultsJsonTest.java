package org.mongolocks.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Metric;

class ResultsJsonTest {
    private static final Report FULL = SampleReport.full().report();

    @Test
    void documentIsAsReviewedAndKeepsToItsSchema() throws IOException {
        Snapshot.assertSame("results-format-4.json", ResultsJson.of(FULL) + "\n");
        assertThat(ResultsSchema.faults(ResultsJson.of(FULL))).isEmpty();
    }

    @Test
    void schemaRejectsUnknownFields() throws IOException {
        assertThat(ResultsSchema.faults(ResultsJson.of(FULL).replace("\"needs\"", "\"wishes\"")))
                .isNotEmpty();
    }

    @Test
    void theSchemaDescribesEveryFieldAndNoOther() throws IOException {
        assertThat(ResultsSchema.describedFields())
                .containsExactlyInAnyOrderElementsOf(ResultsSchema.fields(Document.parse(ResultsJson.of(FULL))));
    }

    @Test
    void measurementsAreReadAsTheyWereWritten() {
        assertThat(PreviousRun.parse(ResultsJson.of(FULL)).measurements())
                .usingRecursiveComparison()
                .withComparatorForType(
                        (one, other) -> Math.abs(one - other) <= 1e-6 * Math.abs(one) ? 0 : 1, Double.class)
                .isEqualTo(FULL.findings().measurements());
    }

    @Test
    void numbersHaveSevenDigits() {
        SampleReport sample = SampleReport.shipped();
        sample.figure("B10", Metric.BYTES, SampleReport.COUNTER, 123456789.123);

        Measurement read = PreviousRun.parse(ResultsJson.of(sample.report()))
                .measurements()
                .get(0);

        assertThat(read.value().value()).isEqualTo(123456800);
    }
}
