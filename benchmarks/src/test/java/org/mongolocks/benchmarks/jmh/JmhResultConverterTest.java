package org.mongolocks.benchmarks.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JmhResultConverterTest {
    @TempDir
    private Path directory;

    /** Runs in this JVM; the figures are not used. */
    @Test
    void measurementsHaveTheSchemaOfAllResults() throws Exception {
        Path file = directory.resolve("figures.json");

        JmhMain.write(
                file,
                "ReentrantBenchmark.enterAndRelease",
                "-f=0",
                "-wi=0",
                "-i=1",
                "-r=50ms",
                "-v=SILENT",
                "-p=strategy=flag-update",
                "-p=client=REACTIVE");

        Document figures = Document.parse(Files.readString(file));
        assertThat(figures.getList("measurements", Document.class))
                .hasSize(1)
                .first()
                .satisfies(figure -> assertThat(figure)
                        .containsEntry("benchmark", "ReentrantBenchmark")
                        .containsEntry("metric", "latency")
                        .containsEntry("contender", "flag-update")
                        .containsEntry("client", "reactive")
                        .containsEntry("unit", "ns")
                        .containsKeys("value", "percentiles"));
    }
}
