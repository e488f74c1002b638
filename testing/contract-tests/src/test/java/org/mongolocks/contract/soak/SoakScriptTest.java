package org.mongolocks.contract.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the script's help option, which needs no build but the right directory. */
@DisabledOnOs(OS.WINDOWS)
class SoakScriptTest {
    private static final Path SCRIPT =
            Path.of("..", "..", "soak").toAbsolutePath().normalize();

    @TempDir
    private Path directory;

    @Test
    void theScriptFindsTheProjectThroughALink() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), SCRIPT);

        assertThat(help(link)).isEqualTo(Soak.usage());
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
