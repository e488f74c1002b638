package org.mongolocks.study.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.mongolocks.study.check.Checker;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.scenario.Scenarios;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Simulation;
import org.mongolocks.study.technique.PublishedTechnique;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/** Tests the whole matrix: the library's strategies keep their promises, and every mistake of the articles is found. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MatrixTest {
    /** With as many, a finding of at least two in five runs occurs, unless the run has changed. */
    static final int ALL_SEEDS = Integer.getInteger("study.seeds", 10);

    private static final Set<String> LATE_REPLIES =
            Set.of("election-renewal", "leader-cut-off", "leader-forced", "router-clocks", "stale-connections");

    /** Shorter than a lease, so that a lock that was not released but expired is detected. */
    static final Duration MAX_HANDOFF = Techniques.TTL.multipliedBy(4).dividedBy(5);

    private static final Duration TWO_LEASES_AND_A_HALF =
            Techniques.TTL.multipliedBy(5).dividedBy(2);
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");
    private static final Map<String, Expected> EXPECTED = Expected.all();

    private Matrix matrix = new Matrix(List.of());

    /** Returns how many runs a cell has. */
    int seeds() {
        return 1;
    }

    /** Runs the matrix, which keeps all processors busy for some seconds with each seed. */
    @BeforeAll
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void run() {
        LOCKS.setLevel(Level.OFF);
        long started = System.nanoTime();
        matrix = Matrix.run(Scenarios.all(), Techniques.all(), seeds());
        System.out.printf(
                "study: %d seeds, %d runs, %d events in %d ms%n",
                seeds(), matrix.runs(), matrix.events(), (System.nanoTime() - started) / 1_000_000);
    }

    @TestFactory
    Stream<DynamicTest> everyCellHasTheExpectedFindings() {
        return matrix.cells().stream()
                .map(cell -> DynamicTest.dynamicTest(nameOf(cell), () -> {
                    Expected expected = EXPECTED.getOrDefault(nameOf(cell), Expected.NOTHING);
                    Set<Finding> found = findings(cell, expected.must());
                    assertThat(found).as("seeds %s", cell.examples().keySet()).containsAll(expected.must());
                    assertThat(found)
                            .as("seeds %s", cell.examples().keySet())
                            .allMatch(finding -> expected.must().contains(finding)
                                    || expected.may().contains(finding));
                }));
    }

    /** Returns the findings of a cell, and of further runs until all wanted ones are found. */
    private Set<Finding> findings(Cell cell, Set<Finding> wanted) {
        Set<Finding> found = EnumSet.noneOf(Finding.class);
        found.addAll(cell.findings().keySet());
        Scenario row = named(Scenarios.all(), Scenario::name, cell.scenario());
        Technique column = named(Techniques.all(), Technique::name, cell.technique());
        for (long seed = row.runs(seeds()); seed < row.runs(ALL_SEEDS) && !found.containsAll(wanted); seed++) {
            Checker.check(Simulation.run(row, column, seed).history(), Matrix.claimsOf(column), row.bounds())
                    .violations()
                    .forEach(violation -> found.add(violation.finding()));
        }
        return found;
    }

    private static <T> T named(List<T> all, Function<T, String> nameOf, String name) {
        return all.stream()
                .filter(one -> nameOf.apply(one).equals(name))
                .findFirst()
                .orElseThrow();
    }

    @TestFactory
    Stream<DynamicTest> shippedStrategiesKeepTheirGuarantees() {
        return shipped()
                .map(cell -> DynamicTest.dynamicTest(nameOf(cell), () -> {
                    Set<Finding> exceptions = Promises.exceptions(cell.scenario(), cell.technique());
                    assertThat(cell.findings().keySet())
                            .as("seeds %s", cell.examples().keySet())
                            .isSubsetOf(exceptions);
                }));
    }

    @Test
    void everyTextbookTechniqueIsFoundOutInTheRowsThatItsTextNames() {
        for (PublishedTechnique one : PublishedTechnique.all()) {
            assertThat(one.rows())
                    .isNotEmpty()
                    .allSatisfy(row -> assertThat(EXPECTED.getOrDefault(row + " " + one.name(), Expected.NOTHING)
                                    .must())
                            .as("%s in %s", one.name(), row)
                            .isNotEmpty());
        }
    }

    /** Whether a stream is open, or late to open. */
    @Test
    void afterACrashALeaseIsAllThatIsWaitedFor() {
        Set<String> rows = Set.of("holder-crash", "late-opening");

        assertThat(shipped().filter(cell -> rows.contains(cell.scenario())))
                .hasSize(rows.size() * Techniques.shipped().size())
                .allMatch(cell -> cell.recovery(1).orElse(Long.MAX_VALUE) < longestRecovery(cell.technique()));
    }

    /**
     * Returns the longest recovery. A strategy with the server's clock acquires when the lease ends. A clock-free one
     * must observe a whole lease without a change: a renewal just before the crash, which it sees only at its next
     * read, restarts that time, and so does an interrupted wait.
     */
    private static long longestRecovery(String technique) {
        Duration most = technique.equals("optimistic-version-clock-free")
                ? TWO_LEASES_AND_A_HALF
                : Techniques.TTL.plusSeconds(1);
        return most.toNanos();
    }

    @Test
    void onlyTheClockFreeStrategyRecoversInALeaseAfterTheServerClockWasSetBack() {
        Duration step = Techniques.TTL.multipliedBy(5);
        long leaseNanos = TWO_LEASES_AND_A_HALF.toNanos();
        long leaseAndStepNanos = Techniques.TTL.plus(step).plusSeconds(5).toNanos();

        assertThat(shipped().filter(cell -> cell.scenario().equals("server-behind")))
                .isNotEmpty()
                .allMatch(cell -> cell.recovery(1).orElseThrow() < leaseAndStepNanos)
                .filteredOn(cell -> cell.recovery(1).orElseThrow() < leaseNanos)
                .extracting(Cell::technique)
                .containsExactly("optimistic-version-clock-free");
    }

    @Test
    void noWaiterWaitsForALeaseWithoutAHolder() {
        assertThat(shipped().filter(cell -> !isSlowFor(cell)))
                .isNotEmpty()
                .allMatch(cell -> cell.totals().longestHandoffNanos() < MAX_HANDOFF.toNanos());
    }

    @Test
    void grantOfAnInterruptedCallIsReleasedWhenTheNetworkRecovers() {
        long cutAndACommand = Duration.ofSeconds(5).toNanos();

        assertThat(shipped().filter(cell -> cell.scenario().equals("release-pending")))
                .isNotEmpty()
                .allMatch(cell -> cell.totals().longestHandoffNanos() < cutAndACommand);
    }

    @Test
    void deadWaitersInAListCostAQuarterOfASecondEachForEightAtMost() {
        long eightQuartersNanos = Duration.ofMillis(8 * 250 + 500).toNanos();

        assertThat(shipped().filter(cell -> cell.scenario().equals("in-order-crash")))
                .isNotEmpty()
                .allMatch(cell -> cell.totals().longestHandoffNanos() < eightQuartersNanos);
    }

    @Test
    void aCrashInAGuardedTransactionCostsAsLongAsTheServerKeepsIt() {
        long minuteNanos = Duration.ofSeconds(60).plusSeconds(5).toNanos();

        assertThat(shipped().filter(cell -> cell.scenario().equals("orphaned-transaction")))
                .isNotEmpty()
                .allMatch(cell -> cell.recovery(1).orElse(Long.MAX_VALUE) < minuteNanos);
    }

    /**
     * One more than one in each third of a lease: a retry after a broken connection is a renewal too. Where replies are
     * late or missing, or refuse, the tries that share the rest of a lease. Where sets of locks are lost, renewals of a set that is
     * still being acquired are counted for the former holder.
     */
    @Test
    void aLeaseIsRenewedOnceInEachThirdOfIt() {
        assertThat(shipped()
                        .filter(cell ->
                                !Set.of("several-crash", "full-executors").contains(cell.scenario())))
                .isNotEmpty()
                .allMatch(cell ->
                        cell.totals().mostRenewalsTooMany() <= (LATE_REPLIES.contains(cell.scenario()) ? 12 : 1));
    }

    /** Each waiter is notified of a release when it is next, however many waiters there are. */
    @Test
    void aGrantCostsABoundedNumberOfCommands() {
        assertThat(shipped().filter(cell -> Set.of("healthy", "in-order").contains(cell.scenario())))
                .isNotEmpty()
                .allMatch(cell -> cell.commandsPerGrant() < mostCommands(cell.technique()));
    }

    /** Returns the limit of commands; others conflict with a transaction, and retry. */
    private static double mostCommands(String technique) {
        return technique.equals("transactional") ? 25 : 20;
    }

    /**
     * One client waits in each process. Each release costs a command for the change stream of each. The lock document lists
     * the clients that wait. A transaction has three commands, and is repeated after a conflict.
     */
    @Test
    void aGrantAmongManyClientsCostsFewCommands() {
        assertThat(shipped().filter(cell -> cell.scenario().equals("many-clients")))
                .isNotEmpty()
                .allMatch(cell -> cell.streamCommandsPerGrant() < 1.25 * 64)
                .allMatch(cell -> cell.commandsPerGrant() - cell.streamCommandsPerGrant()
                        < (cell.technique().equals("transactional") ? 14 : 6));
    }

    @Test
    void lockIsBelievedTwiceOnlyAfterAClockFaultOrADroppedCollection() {
        assertThat(shipped()
                        .filter(cell -> !Set.of("server-ahead", "leader-forced", "dropped-collection")
                                .contains(cell.scenario())))
                .isNotEmpty()
                .allMatch(cell -> cell.count(Finding.BELIEVED_TWICE) == 0);
    }

    @Test
    void oneLeadsAtATime() {
        assertThat(shipped()).isNotEmpty().allMatch(cell -> cell.count(Finding.LED_TWICE) == 0);
    }

    @Test
    void nothingIsCommittedUnderALockThatAnotherHas() {
        assertThat(shipped()).isNotEmpty().allMatch(cell -> cell.count(Finding.STALE_GUARDED) == 0);
        assertThat(shipped()).isNotEmpty().allMatch(cell -> cell.count(Finding.GUARDED_LOST) == 0);
    }

    /**
     * Returns whether a cell may be slow: a crash in a set costs a lease, an abandoned transaction costs its
     * lifetime, and an election may take as long. Without numbered writes a late duplicate of an attempt may hold the lock
     * for a lease.
     */
    private static boolean isSlowFor(Cell cell) {
        return Set.of("several-crash", "duplicates").contains(cell.scenario())
                || cell.scenario().startsWith("election-");
    }

    @Test
    void theExpectationsNameCellsThatThereAre() {
        Stream<String> cells = Scenarios.all().stream()
                .flatMap(row ->
                        Techniques.all().stream().filter(row::isFor).map(column -> row.name() + " " + column.name()));

        assertThat(cells).containsAll(EXPECTED.keySet());
    }

    private Stream<Cell> shipped() {
        Set<String> names =
                Set.copyOf(Techniques.shipped().stream().map(Technique::name).toList());
        return matrix.cells().stream().filter(cell -> names.contains(cell.technique()));
    }

    private static String nameOf(Cell cell) {
        return cell.scenario() + " " + cell.technique();
    }
}
