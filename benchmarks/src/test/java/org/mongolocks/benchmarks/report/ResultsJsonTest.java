package org.mongolocks.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.benchmarks.report.Samples.EMBEDDED;
import static org.mongolocks.benchmarks.report.Samples.failing;
import static org.mongolocks.benchmarks.report.Samples.measured;
import static org.mongolocks.benchmarks.report.Samples.report;
import static org.mongolocks.benchmarks.report.Samples.stopped;
import static org.mongolocks.benchmarks.report.Samples.unmeasured;
import static org.mongolocks.benchmarks.report.Samples.violating;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.report.Samples.StrategySample;
import org.mongolocks.benchmarks.result.MeasurementStatus.Why;

class ResultsJsonTest {
    private static final List<StrategySample> EVERY_KIND = List.of(
            measured("alpha", 1.1, 800),
            violating("beta"),
            failing(),
            unmeasured("delta", Why.NEEDS_REPLICA_SET, "It needs transactions"),
            unmeasured("epsilon", Why.UNSUPPORTED, "It needs MongoDB 9"),
            unmeasured("zeta", Why.FAILED, "It failed"));

    @Test
    void theDocumentKeepsToItsSchema() throws IOException {
        assertThat(ResultsSchema.faults(json())).isEmpty();
    }

    @Test
    void theFormatIsTheSameAsThatOfEarlierReleases() throws IOException {
        String expected;
        try (InputStream in =
                Objects.requireNonNull(ResultsJsonTest.class.getResourceAsStream("/results-format-3.json"))) {
            expected = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }

        assertThat(json()).isEqualTo(expected.strip());
    }

    @Test
    void schemaRejectsUnknownFields() throws IOException {
        String wrong = json().replace("\"fairness\"", "\"unfairness\"");

        assertThat(ResultsSchema.faults(wrong)).isNotEmpty();
    }

    @Test
    void theSchemaDescribesEveryFieldAndNoOther() throws IOException {
        assertThat(ResultsSchema.describedFields())
                .containsExactlyInAnyOrderElementsOf(ResultsSchema.fields(Document.parse(json())));
    }

    @Test
    void theServerIsDescribedForPrograms() {
        Document server = Document.parse(ResultsJson.of(report(EMBEDDED))).get("server", Document.class);

        assertThat(server)
                .containsEntry("kind", "embedded")
                .containsEntry("version", "4.4.0")
                .containsEntry("topology", "replica-set")
                .containsEntry("members", 1);
    }

    @Test
    void aStrategyHasItsFiguresUnderItsName() {
        Document alpha = strategies().get(0);

        assertThat(alpha)
                .containsEntry("name", "alpha")
                .containsEntry("status", "measured")
                .containsEntry("violations", 0)
                .containsEntry("ratioToFloor", 1.1);
        assertThat(alpha.get("contended", Document.class)).containsEntry("grantsPerSecond", 400.0);
    }

    @Test
    void allKindsOfViolationsAddUp() {
        assertThat(strategies().get(1)).containsEntry("violations", 6);
    }

    @Test
    void strategyThatFailedUnderContentionHasNoFiguresButTheReason() {
        Document contender =
                Document.parse(json()).getList("contenders", Document.class).get(2);

        assertThat(strategies().get(2))
                .containsEntry("status", "measured")
                .doesNotContainKeys("contended", "commandsPerGrant");
        assertThat(contender.getList("failures", Document.class))
                .containsExactly(new Document("benchmark", "B6").append("reason", "A lock was lost"));
    }

    @Test
    void traitsOfAStrategyAreListed() {
        Document contender =
                Document.parse(json()).getList("contenders", Document.class).get(1);

        assertThat(contender.getList("traits", String.class)).containsExactly("STRICT_FENCING");
    }

    @Test
    void aBaselineThatDriftedIsAFieldOfItsOwn() {
        assertThat(Document.parse(json()).getList("noise", Document.class))
                .containsExactly(new Document("benchmark", "B1")
                        .append("floor", "floor-two-find-and-modify")
                        .append("client", "sync")
                        .append("drift", 0.75));
    }

    @Test
    void differenceHasAnIntervalAndItsRounds() {
        List<Document> differences = Document.parse(json()).getList("differences", Document.class);

        assertThat(differences.get(0))
                .containsEntry("first", "alpha")
                .containsEntry("second", "beta")
                .containsEntry("ratio", 2.2)
                .containsEntry("low", 2.1)
                .containsEntry("high", 2.3)
                .containsEntry("rounds", 12);
        assertThat(differences).hasSize(1);
    }

    @Test
    void strategyWithoutMeasurementsHasTheReasonAndNoFigures() {
        assertThat(strategies().get(3))
                .containsEntry("status", "needs-replica-set")
                .containsEntry("reason", "It needs transactions")
                .containsEntry("violations", null)
                .containsEntry("ratioToFloor", null);
    }

    private static List<Document> strategies() {
        return Document.parse(json()).getList("strategies", Document.class);
    }

    private static String json() {
        return ResultsJson.of(stopped(EVERY_KIND.toArray(StrategySample[]::new)));
    }
}
