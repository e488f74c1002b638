package org.mongolocks.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/** Tests of the program with a server: the arguments that it refuses, and its output. */
class ProcessStudyMainTest {
    private final ProgramRun program = new ProgramRun();

    @Test
    void aSeedCannotReplayProcesses() {
        program.assertRefused("leave out --seed or --uri", "--uri", "embedded", "--seed", "3");
    }

    @Test
    void scenarioOfTheSimulatorOnlyIsRefusedWithTheKnownOnes() {
        program.assertRefused(
                "Unknown scenario of real processes 'failover'. Known: healthy, holder-crash,",
                "--scenario",
                "failover",
                "--uri",
                "embedded");
    }

    @Test
    void aTechniqueThatIsNotThereIsRefused() {
        program.assertRefused("Unknown technique 'x'. Known: textbook-", "--uri", "embedded", "--technique", "x");
    }

    @Test
    void invalidConnectionStringIsRefusedWithTheAllowedForms() {
        program.assertRefused(
                "--uri must be 'embedded' or a connection string such as mongodb://", "--uri", "localhost:27017");
    }

    @Test
    void aSecretIsNotRepeated() {
        program.of("--uri", "mongodb://me:pass%%word@localhost/");

        assertThat(program.complained())
                .contains("its user name, password or options cannot be read")
                .hasLineCount(1)
                .doesNotContain("pass%");
    }

    @Test
    void aServerThatDoesNotAnswerIsNamed() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }

        program.assertRefused(
                "cannot reach a MongoDB server that accepts writes at 127.0.0.1:" + port,
                "--uri",
                "mongodb://127.0.0.1:" + port);
    }

    @Test
    void unsupportedTechniqueAloneIsRefusedWithTheReason() {
        try (EmbeddedMongo standalone = EmbeddedMongo.builder().standalone().start()) {
            program.assertRefused(
                    "transactional needs transactions",
                    "--technique",
                    "transactional",
                    "--uri",
                    standalone.connectionString());
        }
    }

    @Test
    @Tag("finds:study-cell-not-run")
    void cellThatCannotRunHasAStatusOfItsOwnAndItsCauseIsPrinted() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        Technique shipped = Techniques.shipped().get(0);
        Technique unknown = new Technique("no-such-technique", shipped.strategies(), shipped.config());
        StudyOptions options = StudyOptions.parse(List.of("--uri", "embedded", "--scenario", "healthy"));

        int status = new ProcessStudyMain(options, List.of(unknown), new StudyMain.Terminal(print, print, false)).run();

        assertThat(status).isEqualTo(4);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .containsPattern("NOT RUN: healthy with no-such-technique: .*No technique 'no-such-technique'");
    }

    @Test
    void serversOfLibrariesAndOtherModesAreRefused() {
        program.assertRefused("--redis and --postgresql are servers for --libraries", "--redis", "redis://localhost:1");
        program.assertRefused(
                "--libraries runs real processes: leave out --libraries or --quick", "--libraries", "--quick");
        program.assertRefused(
                "Known: shedlock, shedlock-keep-alive, mongock,", "--libraries", "--technique", "no-such");
        program.assertRefused("step-down", "--libraries", "--scenario", "client-ahead");
        program.assertRefused(
                "PostgreSQL does not answer", "--libraries", "--postgresql", "jdbc:postgresql://localhost:1/a");
        program.assertRefused("spring-jdbc needs --postgresql", "--libraries", "--technique", "spring-jdbc");
    }

    @ParameterizedTest
    @CsvSource({
        "--redis, redis://me:secret@",
        "--redis, redis://me:sec ret@host:1",
        "--postgresql, postgresql://me:secret@host/a",
        "--postgresql, jdbc:postgresql://host:port:1/a?password=secret",
        "--postgresql, jdbc:postgresql://localhost:1/a?password=secret"
    })
    void theSecretOfAnotherServerIsNotRepeated(String option, String address) {
        program.of("--libraries", option, address);

        assertThat(program.complained()).contains(option).hasLineCount(1).doesNotContain("secret", "ret@");
    }

    @Test
    void oneLibraryIsRunAndWrittenBesideItsPromises(@TempDir Path directory) throws IOException {
        int status = program.of(
                "--libraries",
                "--scenario",
                "healthy",
                "--technique",
                "mongock",
                "--seeds",
                "1",
                "--out",
                "" + directory);

        assertThat(status).as(program.complained()).isZero();
        assertThat(program.printed())
                .contains("two holders at once", "  mongock                         partly    no of 1");
        assertThat(Files.readString(directory.resolve("study.json")))
                .contains("\"question\": \"FOREIGN_RELEASE\"", "\"title\": \"mongock 5.5.1\"");
        assertThat(Files.readString(directory.resolve("study.html")))
                .contains(
                        "<a href=\"https://docs.mongock.io/v4/lock/index.html\" title=\"A migration that has lost its lock is aborted at its next access to the database (documentation of version 4).\">partly</a>")
                .doesNotContain("What the strategies of this library do not guarantee");
    }

    @Test
    void oneCellIsRunPrintedAndWritten(@TempDir Path directory) throws IOException {
        int status = program.of(
                "--uri",
                "embedded",
                "--scenario",
                "healthy",
                "--technique",
                "findandmodify-counter",
                "--out",
                directory.toString());

        assertThat(status).as(program.complained()).isZero();
        assertThat(program.printed())
                .contains("findandmodify-counter ", "1 run with real processes on the embedded server (MongoDB ");
        assertThat(Files.readString(directory.resolve("study.json")))
                .contains("\"realProcessesOn\": \"the embedded server", "\"longestHandoffNanos\"")
                .doesNotContain("Virtual");
        assertThat(Files.readString(directory.resolve("study.html")))
                .contains("with real processes on the embedded server")
                .doesNotContain("simulat");
    }
}
