package org.mongolocks.contract.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.contract.broken.SoakMistakes;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;

class SoakTest {
    /** The time limit of a run; it ends as soon as it has detected the mistake. */
    private static final Duration AT_MOST = Duration.ofSeconds(60);

    private static final long SEED = 42;
    private static final long MANY_GRANTS = 100;

    private static final List<LockStrategy> ONE = List.of(LockStrategies.named("findandmodify-counter"));

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

    @Test
    void allStrategiesSurviveAShortRun() throws InterruptedException {
        List<LockStrategy> strategies = LockStrategies.all();

        Findings findings = run(new SoakPlan(AT_MOST, SEED, strategies), found -> isBusy(found, strategies));

        assertThat(findings.firstViolations()).isEmpty();
        assertThat(findings.of("grants")).isGreaterThanOrEqualTo(MANY_GRANTS);
        assertThat(findings.of("failed commands")).isPositive();
    }

    @Test
    void strategyThatGrantsHeldLocksIsFound() throws InterruptedException {
        assertFound(SoakMistakes.grantsHeldLocks(), "were held at once");
    }

    @Test
    void strategyThatCountsNoTokensIsFound() throws InterruptedException {
        assertFound(SoakMistakes.countsNothing(), "was granted after token");
    }

    @Test
    void aClientThatIgnoresALossIsFound() throws InterruptedException {
        assertFound(SoakMistakes::ignoringLosses, "has written while it was held");
    }

    /** Threads are checked when all clients are closed. */
    @Test
    void aClientThatLeavesThreadsBehindIsFound() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        SoakPlan plan = new SoakPlan(AT_MOST, SEED, ONE, SoakMistakes.leavingThreads(over));

        Findings findings = run(plan, found -> found.of("grants") > 0);

        assertThat(findings.firstViolations())
                .anyMatch(violation -> violation.contains("threads of closed clients are left"));
        over.countDown();
    }

    @Test
    void theSameSeedGivesTheSameFaults() {
        FaultSchedule one = new FaultSchedule(SEED, 10);
        FaultSchedule other = new FaultSchedule(SEED, 10);

        assertThat(IntStream.range(0, 1_000).mapToObj(i -> one.next()))
                .containsExactlyElementsOf(
                        IntStream.range(0, 1_000).mapToObj(i -> other.next()).toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--minutes 0 | --minutes must be from 1 to 10000, was 0",
                "--minutes x | --minutes must be a whole number, was 'x'",
                "--minutes | --minutes needs a value",
                "--seed 1 --seed 2 | --seed was given twice",
                "--hours 1 | unknown option '--hours'; known: --minutes, --seed, --uri",
                "--uri nowhere | --uri must be a connection string",
                "--uri mongodb://localhost/?tls=true | --uri asks for TLS",
            })
    void invalidArgumentsPrintOneLine(String arguments, String complaint) throws InterruptedException {
        int status = new Soak(out, out).run(arguments.split(" "));

        assertThat(status).isEqualTo(2);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .startsWith("soak: " + complaint)
                .hasLineCount(1);
    }

    @Test
    void helpIsPrinted() throws InterruptedException {
        assertThat(new Soak(out, out).run("--help")).isZero();

        assertThat(printed.toString(StandardCharsets.UTF_8))
                .isEqualTo(Soak.usage())
                .contains("--minutes");
    }

    private void assertFound(LockStrategy mistake, String finding) throws InterruptedException {
        assertFound(new SoakPlan(AT_MOST, SEED, List.of(mistake)), finding);
    }

    private void assertFound(UnaryOperator<BlockingLocks> mistake, String finding) throws InterruptedException {
        assertFound(new SoakPlan(AT_MOST, SEED, ONE, mistake), finding);
    }

    private void assertFound(SoakPlan plan, String finding) throws InterruptedException {
        assertThat(run(plan, found -> tells(found, finding)).firstViolations())
                .anyMatch(violation -> violation.contains(finding));
    }

    private static boolean tells(Findings findings, String finding) {
        return findings.firstViolations().stream().anyMatch(violation -> violation.contains(finding));
    }

    /** Returns whether all were granted a lock and some met a fault. */
    private static boolean isBusy(Findings findings, List<LockStrategy> strategies) {
        return findings.of("failed commands") > 0
                && findings.of("grants") >= MANY_GRANTS
                && strategies.stream()
                        .flatMap(strategy -> Arrays.stream(Driver.values()).map(driver -> Party.name(strategy, driver)))
                        .allMatch(party -> findings.of("grants of " + party) > 0);
    }

    private Findings run(SoakPlan plan, Predicate<Findings> enough) throws InterruptedException {
        try (EmbeddedMongo mongo = EmbeddedMongo.start()) {
            return new SoakRun(plan, mongo.connectionString(), out).runUntil(enough);
        }
    }
}
