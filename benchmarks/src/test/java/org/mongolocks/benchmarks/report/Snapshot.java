package org.mongolocks.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Expected outputs as files, which are reviewed by eye when they change. A run with {@code -Dsnapshots.write} writes what
 * it finds.
 */
final class Snapshot {
    private Snapshot() {}

    static void assertSame(String name, String actual) throws IOException {
        Path file = Path.of("src", "test", "resources", "snapshots", name);
        if (Boolean.getBoolean("snapshots.write")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, actual);
        }
        assertThat(actual).isEqualTo(Files.readString(file));
    }
}
