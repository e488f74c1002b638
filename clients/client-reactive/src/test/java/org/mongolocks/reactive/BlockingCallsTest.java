package org.mongolocks.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A test that no reactive call blocks a thread that must not block, by BlockHound, which changes its whole process. */
class BlockingCallsTest {
    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    @Tag("finds:reactive-calls-block")
    void noReactiveCallBlocksItsThread(@TempDir Path directory) throws Exception {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+IgnoreUnrecognizedVMOptions",
                        "-XX:+AllowRedefinitionToAddDeleteMethods",
                        "-XX:+EnableDynamicAgentLoading",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BlockingCalls.class.getName()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();

        try {
            int unused = process.waitFor();
        } finally {
            process.destroyForcibly();
        }

        String printed = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(printed).contains(BlockingCalls.DONE).doesNotContain(BlockingCalls.BLOCKS);
    }
}
