package org.mongolocks.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.benchmarks.server.UnusableInputException;

class PreviousRunTest {
    @TempDir
    private Path directory;

    @Test
    void theResultsOfARunAreABaselineForTheSamePlace() throws IOException {
        String results = results();

        PreviousRun baseline = PreviousRun.read(file(results));

        assertThat(baseline.measurements()).hasSize(4);
        assertThat(baseline.isComparableWith(Document.parse(results))).isTrue();
        assertThat(baseline.isComparableWith(Document.parse(results.replace("OpenJDK 17", "OpenJDK 25"))))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "no json | it is no JSON document",
                "'' | it is no JSON document",
                "[1] | it is no JSON document",
                "{} | it has no format, and this program reads formats 2 and 3",
                "{\"format\": 1} | it has format 1, and this program reads formats 2 and 3",
                "{\"format\": 3} | it has no list of measurements",
                "{\"format\": 2, \"measurements\": 7} | it has no list of measurements"
            })
    void unusableBaselineIsReportedInOneLine(String content, String reason) throws IOException {
        Path file = file(content);

        assertThatThrownBy(() -> PreviousRun.read(file))
                .isInstanceOf(UnusableInputException.class)
                .hasMessage("--baseline " + file + " is no results.json to compare with: " + reason);
    }

    @Test
    void formatBeforeIsABaselineToo() throws IOException {
        Document earlier = Document.parse(results()).append("format", 2);
        earlier.remove("differences");
        earlier.remove("minutes");

        PreviousRun baseline = PreviousRun.read(file(earlier.toJson()));

        assertThat(baseline.measurements()).hasSize(4);
        assertThat(baseline.isComparableWith(Document.parse(results()))).isTrue();
    }

    @Test
    void aDirectoryIsNoBaseline() {
        assertThatThrownBy(() -> PreviousRun.read(directory))
                .isInstanceOf(UnusableInputException.class)
                .hasMessageEndingWith("it cannot be read as text");
    }

    @Test
    void changeBeyondTheNoiseIsPrintedWithBothNumbers() {
        CapturedConsole captured = new CapturedConsole();
        Document before = Document.parse(results());
        before.getList("measurements", Document.class)
                .get(0)
                .append(
                        "ratio",
                        new Document("to", "floor")
                                .append("value", 0.5)
                                .append("low", 0.4)
                                .append("high", 0.6));

        DifferenceReport.print(new PreviousRun(before), results(), captured.plain());

        assertThat(captured.out())
                .contains("B1 alpha sync latency", "0.50", "1.10", "+120 %", "x floor-two-find-and-modify")
                .contains("3 of 4 figures changed by no more than noise.")
                .doesNotContain("another server");
    }

    @Test
    void changesOfTimesAreMarkedWhereABaselineDrifted() {
        CapturedConsole captured = new CapturedConsole();
        Document before = Document.parse(results());
        before.getList("measurements", Document.class).forEach(figure -> {
            figure.remove("ratio");
            figure.append("value", 5.0).append("low", 4.0).append("high", 6.0);
        });
        before.getList("measurements", Document.class).get(1).append("value", 5.0);

        DifferenceReport.print(new PreviousRun(before.append("noise", List.of())), results(), captured.plain());

        assertThat(captured.out())
                .contains("Noisy: baselines drifted in B1 of one run or both;")
                .containsPattern("B1 alpha sync latency .* ns +noisy\\R")
                .containsPattern("B6 alpha reactive commandsPerGrant .* commands\\R");
    }

    private Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("old.json"), content);
    }

    private static String results() {
        return ResultsJson.of(Samples.report(Samples.REAL, Samples.measured("alpha", 1.1, 800)));
    }
}
