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
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mongolocks.embedded.EmbeddedMongo;

/** The program with a server: what it refuses, and what it writes. */
class ProcessStudyTest {
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeAll
    static void faultsAreNoNews() {
        LOCKS.setLevel(Level.OFF);
    }

    private int run(String... arguments) {
        return Study.run(
                List.of(arguments),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private void assertRefused(String sentence, String... arguments) {
        assertThat(run(arguments)).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(sentence).hasLineCount(1);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void aSeedCannotReplayProcesses() {
        assertRefused("leave out --seed or --uri", "--uri", "embedded", "--seed", "3");
    }

    @Test
    void aRowOfTheSimulatorThatProcessesDoNotHaveIsRefusedWithThoseThatThereAre() {
        assertRefused(
                "No scenario of real processes 'failover'. There are: healthy, holder-crash,",
                "--scenario",
                "failover",
                "--uri",
                "embedded");
    }

    @Test
    void aTechniqueThatIsNotThereIsRefused() {
        assertRefused("No technique 'x'. There are: textbook-", "--uri", "embedded", "--technique", "x");
    }

    @Test
    void whatIsNoConnectionStringIsRefusedWithWhatIsAllowed() {
        assertRefused("--uri takes 'embedded' or a connection string such as mongodb://", "--uri", "localhost:27017");
    }

    @Test
    void aSecretIsNotRepeated() {
        run("--uri", "mongodb://me:pass%%word@localhost/");

        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("what was given cannot be read")
                .hasLineCount(1)
                .doesNotContain("pass");
    }

    @Test
    void aServerThatDoesNotAnswerIsNamed() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }

        assertRefused(
                "No MongoDB server that takes writes answers within 5 seconds: 127.0.0.1:" + port,
                "--uri",
                "mongodb://127.0.0.1:" + port);
    }

    @Test
    void aTechniqueThatTheServerCannotDoIsRefusedWithTheReasonIfNothingElseIsAskedFor() {
        try (EmbeddedMongo standalone = EmbeddedMongo.builder().standalone().start()) {
            assertRefused(
                    "Nothing can be run: transactional needs transactions",
                    "--technique",
                    "transactional",
                    "--uri",
                    standalone.connectionString());
        }
    }

    @Test
    void oneCellIsRunPrintedAndWritten(@TempDir Path directory) throws IOException {
        int status = run(
                "--uri",
                "embedded",
                "--scenario",
                "healthy",
                "--technique",
                "findandmodify-counter",
                "--out",
                directory.toString());

        assertThat(status).as(err.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("findandmodify-counter ", "1 runs with real processes on the embedded server (MongoDB ");
        assertThat(Files.readString(directory.resolve("study.json")))
                .contains("\"realProcessesOn\": \"the embedded server", "\"longestHandoffNanos\"")
                .doesNotContain("Virtual");
        assertThat(Files.readString(directory.resolve("study.html")))
                .contains("with real processes on the embedded server")
                .doesNotContain("simulat");
    }
}
