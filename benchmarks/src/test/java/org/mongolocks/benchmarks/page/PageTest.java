package org.mongolocks.benchmarks.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.*;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.report.ResultsSchema;

class PageTest {
    @Test
    void theSampleIsOfTheFormat() throws IOException {
        assertThat(ResultsSchema.faults(SampleRun.full().json())).isEmpty();
        Files.writeString(Path.of("target/full.html"), Page.of(SampleRun.full().json()));
    }
}
