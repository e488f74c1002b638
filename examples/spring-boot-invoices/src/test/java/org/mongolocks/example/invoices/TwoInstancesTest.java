package org.mongolocks.example.invoices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mongolocks.example.invoices.Invoices.Invoice;
import org.mongolocks.example.invoices.StatusController.Held;
import org.mongolocks.server.BackgroundTask.Eventually;

/** The example as it is started by its script: processes, one of which is killed, and a browser. */
@Tag("slow")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TwoInstancesTest {
    private static final int ADDED_AT_A_TIME = 6;
    private static final int BROWSER_SECONDS = 60;
    /** Long enough that the process is killed during it. */
    private static final String WORK = "--invoices.work=4s";

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final long LOOK_MILLIS = 100;

    private TwoInstances example;
    private InvoicesPage north;
    private InvoicesPage south;

    @BeforeEach
    void start() throws Exception {
        example = TwoInstances.start(List.of(freePort(), freePort()), Optional.empty(), WORK);
        north = new InvoicesPage(example.instances().get(0).url());
        south = new InvoicesPage(example.instances().get(1).url());
        eventually("both instances reply", () -> north.replies() && south.replies());
    }

    @AfterEach
    void stop() throws Exception {
        example.close();
    }

    @Test
    void theInvoiceOfAKilledInstanceIsBilledByTheOther() throws Exception {
        south.add();
        eventually("the first instance holds a lock", () -> heldByNorth().isPresent());
        Held orphan = heldByNorth().orElseThrow();

        example.instances().get(0).process().destroyForcibly().waitFor();

        eventually("all invoices are billed", () -> south.hasBilled(ADDED_AT_A_TIME));
        assertThat(south.invoices().values()).extracting(Invoice::charges).containsOnly(1);
        Invoice taken = south.invoices().get(orphan.invoice());
        assertThat(taken.billedBy()).isEqualTo("south");
        assertThat(taken.token()).isGreaterThan(orphan.token());
    }

    @Test
    void aBrowserShowsWhoHoldsWhat(@TempDir Path profile) throws Exception {
        Optional<Path> browser = browser();
        assumeTrue(browser.isPresent(), "There is no chromium, chromium-browser or google-chrome on the PATH");
        south.add();
        south.add();
        south.add();
        eventually("both instances hold a lock", () -> south.status().locks().size() == 2);

        String shown = dom(browser.orElseThrow(), south.url(), profile);

        assertThat(shown).contains("<strong id=\"instance\">south</strong>");
        assertThat(shown).contains("<span id=\"total\">18</span>").contains("<span id=\"twice\">0</span>");
        assertThat(shown).contains("<tr class=\"lock\">").contains("<td>north</td>");
    }

    /** Looks seldom: each look is a request, and the processes need the processors. */
    private static void eventually(String what, Callable<Boolean> condition) throws Exception {
        Eventually.timeout = LIMIT;
        Eventually.isTrueWhile(
                what, condition, () -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS)));
    }

    private Optional<Held> heldByNorth() throws IOException, InterruptedException {
        return south.status().locks().stream()
                .filter(lock -> lock.instance().equals("north"))
                .findFirst();
    }

    private static Optional<Path> browser() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(directory -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Returns the page as the browser shows it, some time after it was loaded. */
    private static String dom(Path browser, String url, Path directory) throws IOException, InterruptedException {
        Path shown = directory.resolve("shown.html");
        Process process = new ProcessBuilder(
                        browser.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--user-data-dir=" + directory.resolve("profile"),
                        "--virtual-time-budget=1000",
                        "--dump-dom",
                        url)
                .redirectOutput(shown.toFile())
                .redirectError(directory.resolve("errors.txt").toFile())
                .start();
        if (!process.waitFor(BROWSER_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("The browser did not end: " + Files.readString(directory.resolve("errors.txt")));
        }
        return Files.readString(shown);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
