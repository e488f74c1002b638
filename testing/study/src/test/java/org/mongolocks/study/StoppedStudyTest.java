package org.mongolocks.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Stops a study in a process of its own, with the signal SIGTERM. */
@DisabledOnOs(OS.WINDOWS)
class StoppedStudyTest {
    private static final int STATUS_OF_SIGTERM = 143;

    @Test
    @Tag("finds:stopped-study")
    void studyThatIsStoppedPrintsAndWritesWhatThereIs(@TempDir Path directory) throws Exception {
        Path printed = directory.resolve("printed");
        Process study = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        StudyMain.class.getName(),
                        "--technique",
                        "textbook-flag-update",
                        "--seeds",
                        "20",
                        "--out",
                        directory.toString())
                .redirectOutput(printed.toFile())
                .start();
        try {
            awaitCells(study);
        } finally {
            study.destroy();
        }

        assertThat(study.waitFor()).isEqualTo(STATUS_OF_SIGTERM);
        assertThat(Files.readString(printed))
                .contains("technique ", "STOPPED: these are the results so far, without ", "Written: ");
        Document json = Document.parse(Files.readString(directory.resolve("study.json")));
        assertThat(json.getBoolean("complete")).isFalse();
        assertThat(json.getInteger("missingCells")).isPositive();
        assertThat(json.getList("cells", Document.class)).isNotEmpty();
        assertThat(Files.readString(directory.resolve("study.html"))).contains("The run was stopped: ");
    }

    private static void awaitCells(Process study) throws IOException {
        try (BufferedReader progress = study.errorReader()) {
            String line;
            do {
                line = progress.readLine();
            } while (line != null && !line.matches("study: \\d+ of \\d+ cells"));
        }
    }
}
