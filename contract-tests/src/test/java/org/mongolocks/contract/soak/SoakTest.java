package org.mongolocks.contract.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.contract.BlockingLocks;
import org.mongolocks.contract.SoakMistakes;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;

class SoakTest {
    private static final Duration SHORT = Duration.ofSeconds(3);
    private static final long SEED = 42;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

    @Test
    void allStrategiesSurviveAShortRun() throws InterruptedException {
        Findings findings = run(new SoakPlan(SHORT, SEED, LockStrategies.all()));

        assertThat(findings.firstViolations()).isEmpty();
        assertThat(findings.of("grants")).isPositive();
        assertThat(findings.of("failed commands")).isPositive();
    }

    @Test
    void aStrategyThatTakesWhatIsHeldIsFound() throws InterruptedException {
        LockStrategy worse = SoakMistakes.takesWhatIsHeld();

        Findings findings = run(new SoakPlan(SHORT, SEED, List.of(worse)));

        assertThat(findings.firstViolations()).anyMatch(violation -> violation.contains("were held at once"));
    }

    @Test
    void aStrategyThatCountsNothingIsFound() throws InterruptedException {
        Findings findings = run(new SoakPlan(SHORT, SEED, List.of(SoakMistakes.countsNothing())));

        assertThat(findings.firstViolations()).anyMatch(violation -> violation.contains("was granted after token"));
    }

    @Test
    void aClientThatIgnoresALossIsFound() throws InterruptedException {
        assertFound(SoakMistakes::ignoringLosses, "has written while it was held");
    }

    @Test
    void aClientThatLeavesThreadsBehindIsFound() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        assertFound(SoakMistakes.leavingThreads(over), "threads of closed clients are left");
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
                "--minutes 0 | --minutes is from 1 to 10000, but it was 0",
                "--minutes x | --minutes is a whole number, but it was 'x'",
                "--minutes | --minutes needs a value",
                "--seed 1 --seed 2 | --seed was given twice",
                "--hours 1 | there is no option '--hours'; there are: --minutes, --seed, --uri",
                "--uri nowhere | --uri is no connection string",
                "--uri mongodb://localhost/?tls=true | --uri asks for TLS",
            })
    void badArgumentsAreAnsweredWithOneLine(String arguments, String complaint) throws InterruptedException {
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

    private void assertFound(UnaryOperator<BlockingLocks> mistake, String finding) throws InterruptedException {
        List<LockStrategy> one = List.of(LockStrategies.named("findandmodify-counter"));

        Findings findings = run(new SoakPlan(SHORT, SEED, one, mistake));

        assertThat(findings.firstViolations()).anyMatch(violation -> violation.contains(finding));
    }

    private Findings run(SoakPlan plan) throws InterruptedException {
        try (EmbeddedMongo mongo = EmbeddedMongo.start()) {
            return new SoakRun(plan, mongo.connectionString(), out).run();
        }
    }
}
