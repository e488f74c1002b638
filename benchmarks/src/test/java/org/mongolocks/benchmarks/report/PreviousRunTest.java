package org.mongolocks.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.reporting.server.UnusableInputException;

class PreviousRunTest {
    @TempDir
    private Path directory;

    private final SampleReport sample =
            SampleReport.shipped().alone(SampleReport.COUNTER, SampleReport.INSERT, 1.1, 0.2);
    private final String results = ResultsJson.of(sample.report());
    private final CapturedConsole captured = new CapturedConsole();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "no json | it is no JSON document",
                "'' | it is no JSON document",
                "[1] | it is no JSON document",
                "{} | it has no format, and this program reads formats 2 to 4",
                "{\"format\": 1} | it has format 1, and this program reads formats 2 to 4",
                "{\"format\": 3} | it has no list of measurements",
                "{\"format\": 2, \"measurements\": 7} | it has no list of measurements",
                "{\"format\": 2, \"measurements\": [7]} | its measurements cannot be read",
                "{\"format\": 2, \"measurements\": [null]} | its measurements cannot be read",
                "{\"format\": 4, \"measurements\": [{\"benchmark\": \"B1\", \"contender\": \"a\", \"client\": \"sync\", \"parameters\": {}, \"unit\": \"ns\", \"value\": 1}]} | its measurements cannot be read",
                "{\"format\": 2, \"measurements\": [{}]} | its measurements cannot be read"
            })
    void unusableBaselineIsReportedInOneLine(String content, String reason) throws IOException {
        Path file = Files.writeString(directory.resolve("old.json"), content);

        assertThatThrownBy(() -> PreviousRun.read(file))
                .isInstanceOf(UnusableInputException.class)
                .hasMessage("--baseline " + file + " is no results.json to compare with: " + reason);
    }

    @Test
    void aDirectoryIsNoBaseline() {
        assertThatThrownBy(() -> PreviousRun.read(directory))
                .isInstanceOf(UnusableInputException.class)
                .hasMessageEndingWith("it cannot be read as text");
    }

    @Test
    void recordedRunInTheFormatBeforeIsABaseline() {
        PreviousRun recorded = PreviousRun.read(Path.of("..", "docs", "results-mongodb-5.0.json"));

        assertThat(recorded.measurements()).hasSizeGreaterThan(20).allMatch(one -> one.samples() > 0);
        assertThat(recorded.measurements())
                .anyMatch(one -> one.ratio()
                        .filter(ratio -> ratio.times().interval().isPresent())
                        .isPresent());
        assertThat(recorded.environment()).startsWith("uri", "5.0.0", "replica-set", "0");
    }

    @Test
    void changeBeyondTheNoiseIsPrintedWithBothNumbers() {
        String before = earlier();

        DifferenceReport.print(PreviousRun.parse(before), results, captured.plain());

        assertThat(captured.out())
                .contains(
                        "B1 findandmodify-counter sync latency",
                        "1.25",
                        "2.75",
                        "+120 %",
                        "x floor-two-find-and-modify")
                .contains("1 of 2 figures changed by no more than noise.")
                .doesNotContain("another server", "Noisy");
    }

    @Test
    void otherPlaceAndNoiseAreMarked() {
        String before = earlier().replace("OpenJDK 17", "OpenJDK 25");
        String now = ResultsJson.of(sample.noise("B1", 0.2).report());

        DifferenceReport.print(PreviousRun.parse(before), now, captured.plain());

        assertThat(captured.out())
                .contains("The earlier run was on another server", "Noisy: baselines drifted in B1 of one run or both;")
                .containsPattern("B1 findandmodify-counter sync latency .* x floor-two-find-and-modify +noisy\\R");
    }

    private static String earlier() {
        return ResultsJson.of(SampleReport.shipped()
                .alone(SampleReport.COUNTER, SampleReport.INSERT, 0.5, 0.2)
                .report());
    }
}
