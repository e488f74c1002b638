package org.mongolocks.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyMainTest {
    private final ProgramRun program = new ProgramRun();

    @Test
    @Tag("finds:study-summary")
    void summaryFitsATerminalAndSaysWhereTheRestIs() {
        int status = program.of("--scenario", "client-ahead", "--seeds", "1");

        assertThat(status).as(program.complained()).isZero();
        assertThat(program.printed())
                .contains("The lock of a strategy of this library failed under no fault.", "--table", "--out DIR")
                .containsPattern("textbook-counter-expiry +1 +0 +0 +1  client-ahead: held twice")
                .containsPattern("insert-unique +1 +1 +0 +0\n");
        assertThat(program.printed().lines().toList())
                .hasSizeLessThanOrEqualTo(40)
                .allMatch(line -> line.length() <= 100);
    }

    @Test
    void quickRunIsOfTheMatrix() {
        program.assertRefused("leave out --quick or --scenario", "--quick", "--scenario", "healthy");
        program.assertRefused("leave out --quick or --uri", "--quick", "--uri", "embedded");
        program.assertRefused("leave out --quick or --waiting", "--quick", "--waiting");
    }

    @Test
    void tableIsForTheMatrix() {
        program.assertRefused(
                "leave out --seed or --table",
                "--scenario",
                "healthy",
                "--technique",
                "insert-unique",
                "--seed",
                "3",
                "--table");
    }

    @Test
    void oneCellIsPrintedWithItsCounts() {
        int status = program.of(
                "--scenario", "client-ahead", "--table", "--technique", "textbook-counter-expiry", "--seeds", "2");

        assertThat(status).isZero();
        assertThat(program.printed().lines().limit(2))
                .first()
                .asString()
                .startsWith("client-ahead ")
                .contains("held", "leak", "cmds/grant");
        assertThat(program.printed().lines().skip(1).findFirst().orElseThrow())
                .startsWith("textbook-counter-expiry ")
                .containsPattern(" 2 +2 +2 +2 ");
        assertThat(program.printed()).contains("2 seeds, 2 runs, ");
    }

    @Test
    void oneRunIsShownWithItsCounterExamplesAndShownAlikeAgain() {
        String[] one = {"--scenario", "client-ahead", "--technique", "textbook-counter-expiry", "--seed", "1"};

        program.of(one);
        String first = program.printed();
        program.of(one);

        assertThat(program.printed())
                .isEqualTo(first)
                .startsWith("     0.")
                .contains("  ACQUIRE            INVOKE #1\n", "  -> findAndModify locks {key: invoices}: executed at ")
                .contains("\nHELD_TWICE\n")
                .contains(" <==\n");
    }

    @Test
    void unknownScenarioIsRefusedWithTheKnownOnes() {
        program.assertRefused("Unknown scenario 'nonsense'. Known: healthy, holder-crash,", "--scenario", "nonsense");
    }

    @Test
    void aTechniqueThatIsNotThereIsRefused() {
        program.assertRefused("Unknown technique 'x'. Known: textbook-transaction-insert,", "--technique", "x");
    }

    @Test
    void scenarioWithoutTextbookTechniquesRefusesOne() {
        program.assertRefused(
                "Scenario 'reentrant' uses features that only this library has; its techniques are:"
                        + " findandmodify-counter,",
                "--scenario",
                "reentrant",
                "--technique",
                "textbook-flag-update");
    }

    @Test
    void anUnknownOptionIsRefused() {
        program.assertRefused("Unknown options: '--sedes', '1' (see --help)", "--sedes", "1");
    }

    @Test
    void anOptionWithoutAValueIsRefused() {
        program.assertRefused("Missing required parameter for option '--seeds' (N) (see --help)", "--seeds");
    }

    @Test
    void aNumberThatIsNoneOrTooSmallIsRefused() {
        program.assertRefused("--seeds must be from 1 to 100000, was 0", "--seeds", "0");
        program.assertRefused("Invalid value for option '--seeds': 'many' is not a whole number", "--seeds", "many");
        program.assertRefused("--seed must be from 0 to 2147483647, was -1", "--seed", "-1");
    }

    @Test
    void aNumberThatIsTooLargeIsRefused() {
        program.assertRefused("--seeds must be from 1 to 100000, was 100001", "--seeds", "100001");
        program.assertRefused("--seeds must be from 1 to 100000, was 99999999999", "--seeds", "99999999999");
        program.assertRefused("--seed must be from 0 to 2147483647, was 99999999999", "--seed", "99999999999");
    }

    @Test
    void repeatedOptionIsRefused() {
        program.assertRefused("option '--seeds' (N) should be specified only once", "--seeds", "1", "--seeds", "1");
    }

    @Test
    void invalidArgumentIsRefusedInOneLine() {
        program.assertRefused("Unknown scenario 'a?b'. Known: ", "--scenario", "a\nb");
    }

    @Test
    void helpListsTheOptions() {
        assertThat(program.of("--seeds", "--help")).isZero();
        assertThat(program.printed()).startsWith("Usage: ./study ").contains("--seed X", "--out DIR", "Exit status");
    }

    @Test
    void unwritableOutputIsAFailure() {
        PrintStream closed = new PrintStream(OutputStream.nullOutputStream()) {
            @Override
            public boolean checkError() {
                return true;
            }
        };

        int status = program.printingTo(closed, "--help");

        assertThat(status).isEqualTo(2);
        assertThat(program.complained()).isEqualTo("study: the output cannot be written\n");
    }

    @Test
    void aSeedNeedsOneScenarioAndOneTechnique() {
        program.assertRefused("--seed shows one run: choose a --scenario and a --technique", "--seed", "3");
    }

    @Test
    void filesAreForTheMatrix() {
        program.assertRefused(
                "leave out --seed or --out",
                "--scenario",
                "healthy",
                "--technique",
                "insert-unique",
                "--seed",
                "3",
                "--out",
                "x");
    }

    @Test
    void fileInsteadOfADirectoryIsRefusedBeforeTheRun(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");

        program.assertRefused(
                "--out must be a directory, but '" + file + "' cannot be created", "--out", file.toString());
    }

    @Test
    void anEmptyDirectoryNameIsRefused() {
        program.assertRefused("--out must be a directory, was empty", "--out", "");
    }

    @Test
    void aDirectoryInPlaceOfAFileIsRefusedBeforeTheRun(@TempDir Path directory) throws IOException {
        Path page = Files.createDirectory(directory.resolve("study.html"));

        program.assertRefused("but '" + page + "' is a directory", "--out", directory.toString());
    }

    @Test
    void seedsAreForTheMatrix() {
        program.assertRefused(
                "leave out --seed or --seeds",
                "--scenario",
                "healthy",
                "--technique",
                "insert-unique",
                "--seed",
                "3",
                "--seeds",
                "3");
    }

    @Test
    void theSameRunWritesTheSameBytesButForItsTimes(@TempDir Path directory) throws IOException {
        assertThat(jsonIn(directory.resolve("a"))).isEqualTo(jsonIn(directory.resolve("b")));
        assertThat(directory.resolve("a/study.html")).hasSameTextualContentAs(directory.resolve("b/study.html"));
        assertThat(directory.resolve("a")).isDirectoryNotContaining("glob:**.unfinished");
    }

    @Test
    void theFileHasTheCountsAndTheShortestExample(@TempDir Path directory) throws IOException {
        assertThat(jsonIn(directory))
                .contains("\"finding\": \"HELD_TWICE\"", "\"runs\": 2", "\"op\": \"ACQUIRE\"", "\"shows\": \"BROKEN\"");
    }

    private String jsonIn(Path directory) throws IOException {
        int status = program.of(
                "--scenario",
                "client-ahead",
                "--technique",
                "textbook-counter-expiry",
                "--seeds",
                "2",
                "--out",
                directory.toString());

        assertThat(status).isZero();
        return Files.readAllLines(directory.resolve("study.json")).stream()
                .filter(line -> !line.contains("\"startedAt\"") && !line.contains("\"durationMillis\""))
                .collect(Collectors.joining("\n"));
    }
}
