package org.mongolocks.study.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    private static final TestDatabase DATABASE = TestDatabase.at("embedded");

    @BeforeAll
    static void begin() {
        LOCKS.setLevel(Level.OFF);
        shipped().forEach(name -> submit("holder-crash", name));
        TWO.forEach(name -> submit("holder-pause-checked", name));
        submit("replies-lost", "flag-update");
        submit("client-ahead", "insert-unique");
        submit("client-ahead", "textbook-counter-expiry", Finding.HELD_TWICE);
    }

    @AfterAll
    static void end() {
        RUNS.shutdownNow();
        DATABASE.close();
    }

    /** Repeats a run until the finding occurs, if it needs an unlucky moment. Does nothing if the row cannot run here. */
    private static void submit(String row, String column, Finding... wanted) {
        ProcessScenario scenario = ProcessScenario.all().stream()
                .filter(one -> one.name().equals(row))
                .findFirst()
                .orElseThrow();
        if (!scenario.needs().stream().allMatch(need -> need.isMetBy(DATABASE))) {
            return;
        }
        CELLS.put(row + " " + column, RUNS.submit(() -> {
            Cell cell = run(scenario, RealTechniques.named(column));
            for (int i = 0; i < MAX_REPEATS && !cell.findings().keySet().containsAll(List.of(wanted)); i++) {
                cell = run(scenario, RealTechniques.named(column));
            }
            return cell;
        }));
    }

    private static Cell run(ProcessScenario scenario, Technique technique) throws InterruptedException {
        ProcessMatrix one = new ProcessMatrix(DATABASE, List.of(scenario), List.of(technique), System.out::println);
        Matrix matrix = one.run(1, cell -> {});
        assertThat(one.brokenDown()).isEmpty();
        return matrix.cells().get(0);
    }

    private static Cell cell(String row, String column) throws Exception {
        Future<Cell> cell = CELLS.get(row + " " + column);
        assumeTrue(cell != null, "there are no signals, or faketime is not installed");
        return Objects.requireNonNull(cell).get(4, TimeUnit.MINUTES);
    }

    private static List<String> shipped() {
        return Techniques.shipped().stream().map(Technique::name).toList();
    }

    private static void assertSound(Cell cell) {
        assertThat(cell.totals().grants()).as(cell.technique()).isGreaterThan(3);
        assertThat(cell.findings().keySet())
                .as("%s in %s", cell.technique(), cell.scenario())
                .doesNotContainAnyElementsOf(NEVER);
    }

    @Test
    void aKilledHolderCostsALeaseAndNothingElse() throws Exception {
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
        assertSound(cell("client-ahead", "insert-unique"));
    }

    /** If this is no longer found, the study itself is broken. */
    @Test
    void anArticleThatComparesClocksOfClientsHasTwoHolders() throws Exception {
        Cell cell = cell("client-ahead", "textbook-counter-expiry");

        assertThat(cell.findings()).containsKey(Finding.HELD_TWICE);
        assertThat(Matrix.claimsOf(RealTechniques.named(cell.technique())).hasTokens())
                .isFalse();
    }
}
