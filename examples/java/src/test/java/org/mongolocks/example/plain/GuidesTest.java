package org.mongolocks.example.plain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that each guide shows the class that its test runs. */
class GuidesTest {
    @ParameterizedTest
    @CsvSource({
        "nightly-job, NightlyJob",
        "once-an-hour, HourlyJob",
        "one-leader, OutboxPoller",
        "exactly-once, Deposits",
        "stock, Stock",
        "rate-of-jobs, JobLimits",
        "migration, Migration",
    })
    void guideShowsTheTestedClass(String guide, String name) throws IOException {
        String source = Files.readString(
                Path.of("src", "main", "java", "org", "mongolocks", "example", "plain", name + ".java"));

        assertThat(withoutSpaces(Files.readString(Path.of("..", "..", "docs", "guides", guide + ".md"))))
                .contains(withoutSpaces(source.substring(source.indexOf("import "))));
    }

    /** Line breaks differ between the formatted code and the document. */
    private static String withoutSpaces(String text) {
        return text.replaceAll("\\s", "");
    }
}
