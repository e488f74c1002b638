package org.mongolocks.benchmarks.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ResultsDirectoryTest {
    @TempDir
    private Path directory;

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void filesHaveThePermissionsOfAnyNewFile() throws IOException {
        Path usual = Files.createFile(directory.resolve("usual"));
        ResultsDirectory results = ResultsDirectory.open(directory);

        results.write("{}");
        results.writePage("<html/>");

        assertThat(Files.getPosixFilePermissions(results.results())).isEqualTo(Files.getPosixFilePermissions(usual));
        assertThat(Files.getPosixFilePermissions(results.page())).isEqualTo(Files.getPosixFilePermissions(usual));
    }

    @Test
    void fileIsReplacedAndNoDraftIsLeft() throws IOException {
        ResultsDirectory results = ResultsDirectory.open(directory);

        results.write("old");
        results.write("new");

        assertThat(results.results()).hasContent("new");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactly(results.results());
        }
    }
}
