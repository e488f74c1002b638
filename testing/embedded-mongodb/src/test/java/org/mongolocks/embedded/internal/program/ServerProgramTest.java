package org.mongolocks.embedded.internal.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.embedded.support.RawClient;

/** The program's logic; {@link ServerJarIT} runs it for real. */
class ServerProgramTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<String> served = new ArrayList<>();

    @Test
    void helpIsPrintedAndNothingStarted() throws Exception {
        assertThat(run("--help")).isZero();

        assertThat(text(out))
                .contains(
                        "--port",
                        "--mongodb-version",
                        "4.4, 5.0, 7.0, 8.0, 9.0",
                        "--standalone",
                        "--router",
                        "--ttl-monitor-seconds",
                        "--help");
        assertThat(text(err)).isEmpty();
        assertThat(served).isEmpty();
    }

    @Test
    void readinessIsPrintedInOneLine() throws Exception {
        assertThat(run("--port", "0")).isZero();

        assertThat(text(out)).matches("ready: mongodb://127\\.0\\.0\\.1:[0-9]+/\\?replicaSet=rs0\n");
        assertThat(text(err)).isEmpty();
        assertThat(served).hasSize(1);
        assertThat(served.get(0)).contains("\"setName\": \"rs0\"");
    }

    @Test
    void aStandaloneServerHasNoReplicaSet() throws Exception {
        assertThat(run("--standalone", "--port", "0", "--ttl-monitor-seconds", "1"))
                .isZero();

        assertThat(text(out)).matches("ready: mongodb://127\\.0\\.0\\.1:[0-9]+/\n");
        assertThat(served.get(0)).doesNotContain("setName");
    }

    @Test
    void aRouterSaysThatItIsOne() throws Exception {
        assertThat(run("--router", "--port", "0")).isZero();

        assertThat(text(out)).matches("ready: mongodb://127\\.0\\.0\\.1:[0-9]+/\n");
        assertThat(served.get(0)).contains("isdbgrid");
    }

    @Test
    void theVersionIsTheOneThatIsAskedFor() throws Exception {
        assertThat(run("--port", "0", "--mongodb-version", "5.0")).isZero();

        assertThat(served.get(0)).contains("\"maxWireVersion\": 13");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--bogus | unknown option --bogus",
                "27018 | unknown option 27018",
                "'' | unknown option",
                "--port | option --port needs a value",
                "--port x | needs a number between 0 and 65535, not x",
                "--port 65536 | needs a number between 0 and 65535, not 65536",
                "--port -1 | needs a number between 0 and 65535, not -1",
                "--port 99999999999999 | needs a number between 0 and 65535",
                "--port 1.5 | needs a number",
                "--ttl-monitor-seconds | needs a value",
                "--ttl-monitor-seconds 0 | needs a number between 1 and 86400, not 0",
                "--router --standalone | options --router and --standalone exclude each other",
                "--mongodb-version | option --mongodb-version needs a value",
                "--mongodb-version 6.0 | needs one of 4.4, 5.0, 7.0, 8.0, 9.0, not 6.0",
                "--standalone --standalone | option --standalone is given twice",
            })
    void invalidArgumentsAreReportedInOneLine(String arguments, String complaint) throws Exception {
        assertThat(run(arguments.split(" ", -1))).isEqualTo(2);

        assertThat(text(out)).isEmpty();
        assertThat(text(err)).startsWith("mongo-locks-embedded-mongodb: ").contains(complaint);
        assertThat(text(err).lines()).hasSize(1);
        assertThat(served).isEmpty();
    }

    @Test
    void portInUseIsReportedInOneLine() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(taken.getLocalPort());

            assertThat(run("--port", port)).isEqualTo(2);

            assertThat(text(err)).contains("cannot listen on port " + port);
            assertThat(text(err).lines()).hasSize(1);
            assertThat(text(out)).isEmpty();
        }
    }

    private int run(String... arguments) throws Exception {
        return new ServerProgram(printer(out), printer(err), server -> served.add(handshake(server.port())))
                .run(arguments);
    }

    private static String handshake(int port) {
        try (RawClient client = new RawClient(port)) {
            return String.valueOf(client.run(BsonDocument.parse("{isMaster: 1, $db: 'admin'}")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PrintStream printer(ByteArrayOutputStream target) {
        return new PrintStream(target, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream output) {
        return output.toString(StandardCharsets.UTF_8).replace("\r\n", "\n");
    }
}
