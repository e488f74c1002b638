package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the launcher scripts with {@code --help}, which needs no build but the project's directory. */
@DisabledOnOs(OS.WINDOWS)
class LauncherScriptsTest {
    private static final Path PROJECT = Path.of("..", "..").toAbsolutePath().normalize();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "compare, benchmarks/src/main/resources/org/mongolocks/benchmarks/cli/usage.txt",
        "doctor, verify/doctor/src/main/resources/org/mongolocks/doctor/usage.txt",
        "soak, verify/study/src/main/resources/org/mongolocks/study/soak-usage.txt",
        "study, verify/study/src/main/resources/org/mongolocks/study/usage.txt"
    })
    void scriptFindsTheProjectFromAnotherDirectoryAndThroughLinks(String script, String usage) throws Exception {
        Path absolute = Files.createSymbolicLink(directory.resolve("absolute"), PROJECT.resolve(script));
        Path bin = Files.createDirectory(directory.resolve("bin"));
        Path relative = Files.createSymbolicLink(bin.resolve("relative"), Path.of("..", "absolute"));
        String expected = Files.readString(PROJECT.resolve(usage));

        assertThat(help(PROJECT.resolve(script))).isEqualTo(expected);
        assertThat(help(absolute)).isEqualTo(expected);
        assertThat(help(relative)).isEqualTo(expected);
    }

    private String help(Path script) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(script.toString(), "--help")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }
}
