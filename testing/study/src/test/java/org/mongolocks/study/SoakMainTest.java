package org.mongolocks.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.reporting.ProgramArguments;

/** Tests of the arguments of {@code ./soak}. */
class SoakMainTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--minutes 0 | --minutes must be from 1 to 10000, was 0",
                "--minutes x | Invalid value for option '--minutes': 'x' is not a whole number",
                "--minutes | Missing required parameter for option '--minutes' (N) (see --help)",
                "--strategy | Missing required parameter for option '--strategy' (NAME) (see --help)",
                "--clients 1 | --clients must be from 2 to 256, was 1",
                "--clients 257 | --clients must be from 2 to 256, was 257",
                "--seed 1 --seed 2 | option '--seed' (N) should be specified only once (see --help)",
                "--strategy none | Unknown strategy 'none'. Known: findandmodify-counter, ",
                "--strategy no.such.Class | No technique 'no.such.Class'",
                "--hours 1 | Unknown options: '--hours', '1' (see --help)",
                "--uri nowhere | --uri must be 'embedded' or a connection string",
            })
    void invalidArgumentsPrintOneLine(String arguments, String complaint) {
        int status = SoakMain.run(List.of(arguments.split(" ")), out, out);

        assertThat(status).isEqualTo(2);
        assertThat(printed()).startsWith("soak: " + complaint).hasLineCount(1);
    }

    @Test
    void directoryInPlaceOfTheFileIsRefusedBeforeTheRun(@TempDir Path directory) throws IOException {
        Files.createDirectory(directory.resolve("soak.json"));

        int status = SoakMain.run(List.of("--out", directory.toString()), out, out);

        assertThat(status).isEqualTo(2);
        assertThat(printed()).contains("soak.json' is a directory").hasLineCount(1);
    }

    @Test
    void helpIsPrinted() {
        assertThat(SoakMain.run(List.of("--help"), out, out)).isZero();

        assertThat(printed())
                .isEqualTo(ProgramArguments.usage(SoakMain.class, "soak-usage.txt"))
                .contains("--minutes");
    }

    @Test
    void strategyThatTheServerDoesNotSupportIsRefused() {
        try (EmbeddedMongo standalone = EmbeddedMongo.builder().standalone().start()) {
            int status = SoakMain.run(
                    List.of("--strategy", "transactional", "--uri", standalone.connectionString()),
                    new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                    out);

            assertThat(status).isEqualTo(2);
            assertThat(printed()).startsWith("soak: ").contains("transactions").hasLineCount(1);
        }
    }

    @Test
    void severalStrategiesCanBeChosen() {
        SoakOptions options = SoakOptions.parse(List.of("--strategy", "insert-unique", "--strategy", "flag-update"));

        assertThat(options.plan().techniques())
                .extracting(technique -> technique.name())
                .containsExactly("insert-unique", "flag-update");
    }
}
