package org.mongolocks.benchmarks.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs the script with {@code --help} only, which needs no build but the right directory. */
@DisabledOnOs(OS.WINDOWS)
class CompareScriptTest {
    private static final Path SCRIPT = Path.of("..", "compare").toAbsolutePath().normalize();

    @TempDir
    private Path directory;

    @Test
    void theScriptFindsTheProjectFromAnywhere() throws Exception {
        assertThat(help(SCRIPT)).isEqualTo(CompareOptions.usage());
    }

    @Test
    void theScriptFindsTheProjectThroughLinks() throws Exception {
        Path absolute = Files.createSymbolicLink(directory.resolve("absolute"), SCRIPT);
        Path bin = Files.createDirectory(directory.resolve("bin"));
        Path relative = Files.createSymbolicLink(bin.resolve("relative"), Path.of("..", "absolute"));

        assertThat(help(absolute)).isEqualTo(CompareOptions.usage());
        assertThat(help(relative)).isEqualTo(CompareOptions.usage());
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
