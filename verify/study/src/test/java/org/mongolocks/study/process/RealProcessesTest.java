package org.mongolocks.study.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.process.fault.WrongClock;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/**
 * Tests with real processes on the embedded server, a few of the runs of {@code ./study --uri}. All start at once, and
 * each test waits for its own.
 */
@Tag("slow")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RealProcessesTest {
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");
    private static final int AT_ONCE = 3;
    private static final int MAX_REPEATS = 7;
    /** The machine may be busy. */
    private static final Duration SLACK = Duration.ofSeconds(4);

    private static final Set<Finding> NEVER = Set.of(
            Finding.HELD_TWICE,
            Finding.BELIEVED_TWICE,
            Finding.STALE_TOUCH_FENCED,
            Finding.TOKEN_REUSED,
            Finding.TOKEN_WENT_BACK,
            Finding.LEAK);

    private static final ExecutorService RUNS = Executors.newFixedThreadPool(AT_ONCE);
    private static final Map<String, Future<Cell>> CELLS = new ConcurrentHashMap<>();
    private static final List<String> TWO = List.of("findandmodify-counter", "transactional");

    private static Optional<TestDatabase> database = Optional.empty();

    @BeforeAll
    static void begin() {
        LOCKS.setLevel(Level.OFF);
        TestDatabase embedded = TestDatabase.at("embedded");
        database = Optional.of(embedded);
        if (areThereSignals()) {
            shipped().forEach(name -> submit(embedded, "holder-crash", name));
            TWO.forEach(name -> submit(embedded, "holder-pause-checked", name));
        }
        submit(embedded, "replies-lost", "flag-update");
        if (WrongClock.library().isPresent()) {
            submit(embedded, "client-ahead", "insert-unique");
            submit(embedded, "client-ahead", "textbook-counter-expiry", Optional.of(Finding.HELD_TWICE));
        }
    }

    @AfterAll
    static void end() {
        RUNS.shutdownNow();
        database.ifPresent(TestDatabase::close);
    }

    private static void submit(TestDatabase where, String row, String column) {
        submit(where, row, column, Optional.empty());
    }

    /** Repeats a run until the finding occurs, if it needs an unlucky moment. */
    private static void submit(TestDatabase where, String row, String column, Optional<Finding> wanted) {
        ProcessScenario scenario = ProcessScenario.all().stream()
                .filter(one -> one.name().equals(row))
                .findFirst()
                .orElseThrow();
        Technique technique = RealTechniques.named(column);
        CELLS.put(row + " " + column, RUNS.submit(() -> {
            Cell cell = run(where, scenario, technique);
            for (int more = 0;
                    more < MAX_REPEATS
                            && !cell.findings()
                                    .keySet()
                                    .containsAll(wanted.stream().toList());
                    more++) {
                cell = run(where, scenario, technique);
            }
            return cell;
        }));
    }

    private static Cell run(TestDatabase where, ProcessScenario scenario, Technique technique)
            throws InterruptedException {
        ProcessMatrix one = new ProcessMatrix(where, List.of(scenario), List.of(technique), System.out::println);
        Matrix matrix = one.run(1, cell -> {});
        assertThat(one.brokenDown()).isEmpty();
        return matrix.cells().get(0);
    }

    private static Cell cell(String row, String column) throws Exception {
        return Objects.requireNonNull(CELLS.get(row + " " + column)).get(4, TimeUnit.MINUTES);
    }

    private static List<String> shipped() {
        return Techniques.shipped().stream().map(Technique::name).toList();
    }

    private static boolean areThereSignals() {
        return !System.getProperty("os.name").startsWith("Windows");
    }

    private static void assertSound(Cell cell) {
        assertThat(cell.totals().grants()).as(cell.technique()).isGreaterThan(3);
        assertThat(cell.findings().keySet())
                .as("%s in %s", cell.technique(), cell.scenario())
                .doesNotContainAnyElementsOf(NEVER);
    }

    @Test
    void aKilledHolderCostsALeaseAndNothingElse() throws Exception {
        assumeTrue(areThereSignals(), "Windows has no signals");
        for (String technique : shipped()) {
            Cell cell = cell("holder-crash", technique);

            assertSound(cell);
            assertThat(cell.recoveriesNanos())
                    .as(technique)
                    .singleElement()
                    .satisfies(nanos -> assertThat(Duration.ofNanos(nanos)).isLessThan(RealTechniques.TTL.plus(SLACK)));
        }
    }

    /**
     * The holder is paused after it has checked the lock, and resumes when another has read: its write is certainly
     * late.
     */
    @Test
    void pauseBetweenCheckAndWriteAffectsOnlyUnfencedData() throws Exception {
        assumeTrue(areThereSignals(), "Windows has no signals");
        for (String technique : TWO) {
            Cell cell = cell("holder-pause-checked", technique);

            assertSound(cell);
            assertThat(cell.findings()).as(technique).containsKey(Finding.STALE_UNFENCED);
        }
    }

    /** A run without a lost reply fails. */
    @Test
    void lostRepliesCostTimeOnly() throws Exception {
        assertSound(cell("replies-lost", "flag-update"));
    }

    @Test
    void theWallClockOfAClientDoesNotMatter() throws Exception {
        assumeTrue(WrongClock.library().isPresent(), "faketime is not installed");

        assertSound(cell("client-ahead", "insert-unique"));
    }

    /** If this is no longer found, the study itself is broken. */
    @Test
    void anArticleThatComparesClocksOfClientsHasTwoHolders() throws Exception {
        assumeTrue(WrongClock.library().isPresent(), "faketime is not installed");

        Cell cell = cell("client-ahead", "textbook-counter-expiry");

        assertThat(cell.findings()).containsKey(Finding.HELD_TWICE);
        assertThat(Matrix.claimsOf(RealTechniques.named(cell.technique())).hasTokens())
                .isFalse();
    }
}
