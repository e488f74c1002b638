package org.mongolocks.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the program that measures waiting: the arguments that it refuses, and its output. */
class WaitingMainTest {
    private static final String[] SMALL = {
        "--waiting", "--clients", "2,1", "--locks", "1,20", "--technique", "flag-update", "--seed", "3"
    };

    private final ProgramRun program = new ProgramRun();

    @Test
    void tableHasARowForEachLoadAndNumberOfClients() {
        String[] small = Stream.concat(Stream.of("--table"), Stream.of(SMALL)).toArray(String[]::new);

        assertThat(program.of(small)).as(program.complained()).isZero();
        assertThat(program.printed().lines().filter(line -> line.startsWith("| ")))
                .hasSize(12)
                .anyMatch(line -> line.startsWith("| one lock | flag-update | 2 | 1 | "))
                .anyMatch(line -> line.startsWith("| one lock, fair | flag-update | 2 | 1 | "))
                .anyMatch(line -> line.startsWith("| one lock, half of the clients die | flag-update | 2 | 1 | "))
                .anyMatch(line -> line.startsWith("| one lock, half of the clients die, fair | flag-update | 2 | 1 | "))
                .anyMatch(line -> line.startsWith("| locks chosen at random | flag-update | 1 | 20 | "))
                .anyMatch(line -> line.startsWith("| each lock held and awaited | flag-update | 2 | 20 | 0 | – | "));
        assertThat(program.printed()).contains("10 runs, each once, with seed 3");
    }

    @Test
    void summaryHasALineForEachStrategyAndLoadAndFitsATerminal() {
        assertThat(program.of(SMALL)).as(program.complained()).isZero();

        assertThat(program.printed())
                .containsPattern("commands a grant by clients +1 +2\n")
                .containsPattern("flag-update, one lock +\\d+\\.\\d +\\d+\\.\\d\n")
                .containsPattern("median hand-over, ms by clients +1 +2\n")
                .contains("--table");
        assertThat(program.printed().lines().toList())
                .hasSizeLessThanOrEqualTo(40)
                .allMatch(line -> line.length() <= 100);
    }

    @Test
    void filesAreWrittenAndTheSameAgain(@TempDir Path directory) throws IOException {
        String[] arguments = {
            "--waiting", "--clients", "1,4", "--locks", "1", "--technique", "flag-update", "--out", directory.toString()
        };

        assertThat(program.of(arguments)).as(program.complained()).isZero();
        String json = Files.readString(directory.resolve("waiting.json"));
        program.of(arguments);

        assertThat(json).contains("\"order\": \"FAIR\"", "\"commandsPerGrant\": ", "\"handoverMedianMillis\": ");
        assertThat(directory.resolve("waiting.json")).hasContent(json);
    }

    @Test
    void numbersThatAreNoneOrTooLargeAreRefused() {
        program.assertRefused("--clients must be from 1 to 2000, was 0", "--waiting", "--clients", "1,0");
        program.assertRefused("--clients must be from 1 to 2000, was 2001", "--clients", "2001", "--waiting");
        program.assertRefused(
                "Invalid value for option '--clients': '' is not a whole number", "--waiting", "--clients", "1,");
        program.assertRefused("--locks must be from 1 to 100000, was 100001", "--waiting", "--locks", "100001");
        program.assertRefused("--seed must be from 0 to 2147483647, was -1", "--waiting", "--seed", "-1");
    }

    @Test
    void optionsOfOtherProgramsAreRefused() {
        program.assertRefused("leave out --waiting or --scenario", "--waiting", "--scenario", "healthy");
        program.assertRefused("leave out --waiting or --uri", "--waiting", "--uri", "embedded");
        program.assertRefused("--goals is an option of --waiting, which is missing", "--goals");
        program.assertRefused("option '--waiting' should be specified only once", "--waiting", "--waiting");
        program.assertRefused("option '--goals' should be specified only once", "--waiting", "--goals", "--goals");
    }

    @Test
    void techniqueOfAnArticleIsRefusedWithTheStrategies() {
        program.assertRefused(
                "Unknown strategy 'textbook-flag-update'. Known: findandmodify-counter,",
                "--waiting",
                "--technique",
                "textbook-flag-update");
    }

    @Test
    void fileThatIsADirectoryIsRefusedBeforeTheRun(@TempDir Path directory) throws IOException {
        Files.createDirectory(directory.resolve("waiting.json"));

        program.assertRefused("waiting.json' is a directory", "--waiting", "--out", directory.toString());
    }

    @Test
    void helpExplainsTheOptions() {
        assertThat(program.of("--waiting", "--help")).isZero();
        assertThat(program.printed()).contains("study --waiting ", "--clients N,N ", "--locks N,N ", "waiting.json");
    }
}
