package org.mongolocks.micrometer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The alert rules on given series, by Prometheus' own tool. */
class AlertRulesTest {
    private static final Path RULES = Path.of("grafana", "mongo-locks-alerts.yml");
    private static final Path TESTS = Path.of("src", "test", "prometheus", "mongo-locks-alerts-test.yml");
    private static final String PROMTOOL = "promtool";

    @Test
    void rulesAreValid() throws Exception {
        assertSucceeds("check", "rules", RULES.toString());
    }

    @Test
    void alertsFireWhenTheyShould() throws Exception {
        assertSucceeds("test", "rules", TESTS.toString());
    }

    @Test
    void everyAlertHasATest() throws IOException {
        List<String> alerts = Pattern.compile("- alert: (\\w+)")
                .matcher(Files.readString(RULES))
                .results()
                .map(match -> match.group(1))
                .toList();

        assertThat(alerts).isNotEmpty();
        assertThat(Files.readString(TESTS)).contains(alerts);
    }

    private static void assertSucceeds(String... arguments) throws IOException, InterruptedException {
        assumeTrue(isOnThePath(), PROMTOOL + " of Prometheus is not on the PATH");
        Process process = new ProcessBuilder(
                        Stream.concat(Stream.of(PROMTOOL), Stream.of(arguments)).toList())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
    }

    private static boolean isOnThePath() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(Pattern.quote(File.pathSeparator)))
                .map(directory -> Path.of(directory, PROMTOOL))
                .anyMatch(Files::isExecutable);
    }
}
