package org.mongolocks.benchmarks.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.benchmarks.report.CapturedConsole;
import org.mongolocks.benchmarks.run.BenchmarkRun;
import org.mongolocks.benchmarks.run.StubStrategy;
import org.mongolocks.reporting.ProgramArguments;

class CompareArgumentsTest {
    @TempDir
    private Path directory;

    private final CapturedConsole captured = new CapturedConsole();

    @Test
    void helpIsPrintedAndEndsWell() throws InterruptedException {
        assertThat(run("--help")).isZero();

        assertThat(captured.out()).isEqualTo(ProgramArguments.usage(CompareMain.class, "usage.txt"));
        assertThat(captured.err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "--fast, Unknown option: '--fast'",
        "--uri, Missing required parameter for option '--uri' (URI)",
        "--strategies=alpha;gamma, no strategy is named 'alpha;gamma'; there are: alpha, beta",
        "--strategies=, no strategy is named ''; there are: alpha, beta",
        "'--strategies=,', no strategy is named ''; there are: alpha, beta",
        "'--strategies=alpha,', no strategy is named ''; there are: alpha, beta",
        "'--only=B1,B99', no benchmark is named 'B99'; there are: B1",
        "--only=, no benchmark is named ''; there are: B1",
        "--baseline=/nowhere/x, --baseline /nowhere/x is no results.json to compare with: there is no such file",
        "--out=, --out names no directory (see --help)",
        "--redis=localhost, --redis is no address such as redis://HOST:PORT (see --help)",
        "--redis=redis://:secret@localhost, --redis is no address such as redis://HOST:PORT (see --help)",
        "--zookeeper=localhost, --zookeeper is no address such as HOST:PORT (see --help)",
        "--etcd=http://localhost:2379, --etcd is no address such as HOST:PORT (see --help)",
        "--postgresql=localhost:5432, --postgresql is no address such as"
                + " jdbc:postgresql://HOST:PORT/DATABASE?user=USER (see --help)",
        "--postgresql=jdbc:postgresql:locks, --postgresql is no address such as"
                + " jdbc:postgresql://HOST:PORT/DATABASE?user=USER (see --help)",
        "--postgresql=jdbc:postgresql://me:secret@localhost/locks, --postgresql is no address such as"
                + " jdbc:postgresql://HOST:PORT/DATABASE?user=USER (see --help)",
        "--majority-lag=-1, '--majority-lag is from 0 to 1000 milliseconds, not -1 (see --help)'",
        "--majority-lag=1001, '--majority-lag is from 0 to 1000 milliseconds, not 1001 (see --help)'",
        "--uri=localhost, --uri must be 'embedded' or a connection string such as mongodb://localhost:27017/?replicaSet=rs0: The connection string is invalid."
    })
    void wrongArgumentIsReportedInOneLine(String argument, String complaint) throws InterruptedException {
        assertThat(run("--strategies=alpha", argument)).isEqualTo(2);

        assertOneLine("compare: " + complaint);
    }

    @Test
    void unwritableDirectoryIsReportedBeforeAnythingIsMeasured() throws IOException, InterruptedException {
        Path file = Files.createFile(directory.resolve("file"));

        assertThat(run("--strategies", "alpha", "--out", file.toString())).isEqualTo(2);

        assertOneLine("compare: cannot write to the directory " + file + ": there is a file of that name");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void directoryThatCannotBeCreatedIsReportedWithTheReason() throws InterruptedException {
        assertThat(run("--strategies", "alpha", "--out", "/proc/x")).isEqualTo(2);

        assertOneLine("compare: cannot write to the directory /proc/x: it is not there and cannot be made");
    }

    @Test
    void unreachableServerIsReportedInOneLineWithoutCredentials() throws IOException, InterruptedException {
        String host = "localhost:" + closedPort();

        int status = run(
                "--strategies", "alpha", "--out", directory.toString(), "--uri", "mongodb://Ann:S3cret@" + host + "/");

        assertThat(status).isEqualTo(2);
        assertOneLine("compare: cannot reach a MongoDB server that accepts writes at " + host + ": ");
        assertThat(captured.err()).doesNotContain("Ann", "S3cret");
    }

    private int run(String... arguments) {
        Strategies catalogue =
                new Strategies(List.of(new StubStrategy("alpha", Set.of()), new StubStrategy("beta", Set.of())));
        return new CompareMain(captured.plain(), () -> catalogue, CompareOptions::time, BenchmarkRun.GRACE)
                .run(arguments);
    }

    private void assertOneLine(String beginning) {
        assertThat(captured.err()).startsWith(beginning).hasLineCount(1).endsWith(System.lineSeparator());
        assertThat(captured.out()).isEmpty();
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
