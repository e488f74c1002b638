package org.mongolocks.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.report.Console.ProgressLine;

class ConsoleTest {
    private final CapturedConsole captured = new CapturedConsole();

    @Test
    void textIsBoldOnATerminal() {
        assertThat(captured.terminal().bold("Server")).isEqualTo("\u001b[1mServer\u001b[0m");
    }

    @Test
    void textIsPlainInAFile() {
        assertThat(captured.plain().bold("Server")).isEqualTo("Server");
    }

    @Test
    void progressTakesOneLineForEachStepInAFile() {
        try (ProgressLine progress = new ProgressLine(captured.plain())) {
            progress.begins(1, 2, "warm-up");
            progress.begins(2, 2, "contention");
        }

        assertThat(captured.err()).hasLineCount(2).contains("[1/2] warm-up", "[2/2] contention");
        assertThat(captured.out()).isEmpty();
    }

    @Test
    void progressOverwritesItsLineOnATerminalAndClearsItInTheEnd() {
        try (ProgressLine progress = new ProgressLine(captured.terminal())) {
            progress.begins(1, 2, "warm-up");
            progress.begins(2, 2, "contention");
        }

        assertThat(captured.err()).doesNotContain("\n").endsWith("\r\u001b[K");
    }
}
