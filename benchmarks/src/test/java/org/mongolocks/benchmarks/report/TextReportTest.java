package org.mongolocks.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.report.Report.Machine;

class TextReportTest {
    private final CapturedConsole captured = new CapturedConsole();

    @Test
    void reportIsAsReviewed() throws IOException {
        TextReport.print(SampleReport.full().report(), captured.plain());

        Snapshot.assertSame("report.txt", captured.out());
        assertThat(captured.err()).isEmpty();
    }

    @Test
    void choiceIsTheFirstLineAndBoldOnATerminal() {
        TextReport.print(SampleReport.full().report(), captured.terminal());

        assertThat(captured.out()).startsWith("\u001b[1mTake findandmodify-counter for most uses: ");
    }

    @Test
    @Tag("finds:busy-machine-in-the-terminal")
    void busyMachineIsAWarningAsOnThePage() {
        SampleReport sample = SampleReport.shipped();
        sample.machine = new Machine(2, "Linux 6.1 amd64", "OpenJDK 17", 9.5, 4_000_000_000L);

        TextReport.print(sample.report(), captured.plain());

        assertThat(captured.out())
                .contains("The machine was busy before the run began: load 9.50 with 2 processors.\n");
        assertThat(ResultsJson.of(sample.report())).contains("The machine was busy before the run began");
    }
}
