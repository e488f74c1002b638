package org.mongolocks.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoInterruptedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockException;
import org.mongolocks.LockStorageException;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.MeasurementStatus;
import org.mongolocks.benchmarks.result.MeasurementStatus.Failure;
import org.mongolocks.benchmarks.result.MeasurementStatus.Status;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.run.Benchmark.Scenario;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.run.ProtectedData.Violations;
import org.mongolocks.spi.LockStrategy;

class BenchmarkRunTest {
    private static final LockStrategy ALPHA = new StubStrategy("alpha", Set.of());
    private static final LockStrategy BETA = new StubStrategy("beta", Set.of());

    private final List<String> received = new ArrayList<>();

    @AutoClose
    private final EmbeddedEnvironment server = new EmbeddedEnvironment();

    private final RunEnvironment environment = server.environment();

    @Test
    void eachBenchmarkGetsItsShareOfTheTime() throws InterruptedException {
        List<Duration> shares = new ArrayList<>();

        run((context, time) -> shares.add(time), (context, time) -> shares.add(time));

        assertThat(shares.get(0)).isCloseTo(Duration.ofSeconds(20), Duration.ofSeconds(2));
        assertThat(shares.get(1)).isCloseTo(Duration.ofSeconds(40), Duration.ofSeconds(4));
    }

    @Test
    void overrunShortensLaterBenchmarksToNoLessThanAThird() throws InterruptedException {
        List<Duration> shares = new ArrayList<>();

        new BenchmarkRun(
                        List.of(
                                new Benchmark("B1", "first", 1, (context, time) -> {}),
                                new Benchmark("B2", "second", 1, (context, time) -> shares.add(time))),
                        RunLength.QUICK,
                        Duration.ofNanos(60),
                        Duration.ofMinutes(1))
                .run(environment, List.of(ALPHA), (step, steps, what) -> {}, (findings, missing) -> {});

        assertThat(shares).containsExactly(Duration.ofNanos(10));
    }

    @Test
    void progressShowsTheBenchmarkAndTheRemainingTime() throws InterruptedException {
        run((context, time) -> context.step("rounds"), (context, time) -> {});

        assertThat(received).hasSize(3);
        assertThat(received.get(0)).matches("1/2 B1 first, about (60|59|5\\d) s left");
        assertThat(received.get(1)).matches("1/2 B1 first: rounds, about (60|59|5\\d) s left");
        assertThat(received.get(2)).matches("2/2 B2 second, about \\d+ s left");
    }

    @Test
    @Tag("finds:compare-overtime")
    void benchmarkDoesLessWhenItsTimeIsOver() throws InterruptedException {
        List<String> done = new ArrayList<>();
        Benchmark endless = new Benchmark("B1", "endless", 1, (context, time) -> {
            while (!context.left().isZero()) {
                context.attempt("alpha", () -> done.add("in time"));
            }
            context.attempt("alpha", () -> done.add("late"));
            context.attempt("alpha", () -> done.add("late"));
            context.conclude("alpha", () -> done.add("end"));
        });

        BenchmarkContext context = new BenchmarkRun(
                        List.of(endless), RunLength.QUICK, Duration.ofMillis(40), Duration.ofMillis(10))
                .run(environment, List.of(ALPHA), (step, steps, what) -> {}, (findings, missing) -> {});

        assertThat(done).contains("in time").doesNotContain("late").endsWith("end");
        assertThat(context.results().findings().remarks())
                .singleElement()
                .asString()
                .matches("B1: its time was over, and \\d+ of its measurements were left out\\.");
    }

    @Test
    @Tag("finds:compare-stopped-run-lost")
    void resultsComeAfterEachBenchmarkAndWhenTheRunIsStopped() {
        List<String> received = new ArrayList<>();
        List<Benchmark> benchmarks = List.of(
                new Benchmark(
                        "B1", "first", 1, (context, time) -> context.results().record(figure("B1", "alpha"))),
                new Benchmark("B2", "stopped", 1, (context, time) -> {
                    context.results().record(figure("B2", "alpha"));
                    throw new InterruptedException("stop");
                }),
                new Benchmark("B3", "third", 1, (context, time) -> {}));

        assertThatThrownBy(() -> new BenchmarkRun(
                                benchmarks, RunLength.QUICK, Duration.ofMinutes(1), Duration.ofMinutes(1))
                        .run(
                                environment,
                                List.of(ALPHA),
                                (step, steps, what) -> {},
                                (findings, missing) ->
                                        received.add(findings.measurements().size() + " without " + missing)))
                .isInstanceOf(InterruptedException.class);

        assertThat(received).containsExactly("1 without [B2, B3]", "2 without [B2, B3]");
    }

    @Test
    void interruptOfTheDriverStopsTheRunAndIsNoFailureOfAStrategy() {
        List<Benchmark> benchmarks = List.of(new Benchmark(
                "B1",
                "first",
                1,
                (context, time) -> context.attempt("alpha", () -> {
                    throw new MongoInterruptedException("Interrupted", new InterruptedException());
                })));

        assertThatThrownBy(() -> new BenchmarkRun(
                                benchmarks, RunLength.QUICK, Duration.ofMinutes(1), Duration.ofMinutes(1))
                        .run(
                                environment,
                                List.of(ALPHA),
                                (step, steps, what) -> {},
                                (findings, missing) -> received.add(findings.remarks() + " " + missing)))
                .isInstanceOf(InterruptedException.class);

        assertThat(received).containsExactly("[] [B1]");
    }

    @Test
    void aStrategyThatFailsIsOutOfThatBenchmarkAndTriedAgainByTheNext() throws InterruptedException {
        List<String> here = new ArrayList<>();
        List<String> next = new ArrayList<>();

        BenchmarkContext context = run(
                (running, time) -> {
                    running.attempt("alpha", BenchmarkRunTest::fail);
                    running.attempt("alpha", () -> here.add("alpha again"));
                    running.strategies().forEach(strategy -> here.add(strategy.name()));
                },
                (running, time) -> running.strategies().forEach(strategy -> next.add(strategy.name())));

        assertThat(here).containsExactly("beta");
        assertThat(next).containsExactly("alpha", "beta");
        assertThat(context.results().findings().remarks())
                .containsExactly("alpha failed in B1, where its figures do not count: Broken");
    }

    @Test
    void theFiguresOfTheBenchmarkThatItFailedInAreVoidAndNoOthers() throws InterruptedException {
        BenchmarkContext context = run(
                (running, time) -> {
                    running.results().record(figure("B1", "alpha"));
                    running.results().record(figure("B1", "beta"));
                    running.attempt("alpha", BenchmarkRunTest::fail);
                    running.results().record(figure("B1", "alpha"));
                },
                (running, time) -> running.results().record(figure("B2", "alpha")));

        assertThat(context.results().findings().measurements())
                .containsExactly(figure("B1", "beta"), figure("B2", "alpha"));
        assertThat(context.results().findings().contenders().get(0).verdict())
                .isEqualTo(measured().with(List.of(new Failure("B1", "Broken"))));
    }

    @Test
    void contenderThatFailsInAllBenchmarksIsSkipped() throws InterruptedException {
        Scenario failing = (running, time) -> running.attempt("alpha", BenchmarkRunTest::fail);

        BenchmarkContext context = run(failing, failing);

        assertThat(context.results().findings().contenders().get(0).verdict())
                .isEqualTo(MeasurementStatus.skipped("failed: Broken")
                        .with(List.of(new Failure("B1", "Broken"), new Failure("B2", "Broken"))));
    }

    @Test
    void unsupportedStrategyIsNotMeasuredAgain() throws InterruptedException {
        List<String> left = new ArrayList<>();

        BenchmarkContext context = run(
                (running, time) -> running.attempt("alpha", () -> {
                    throw new LockStorageException("Too old", List.of("Too old"), Optional.empty(), null);
                }),
                (running, time) -> running.strategies().forEach(strategy -> left.add(strategy.name())));

        assertThat(left).containsExactly("beta");
        assertThat(context.results().findings().contenders().get(0).verdict())
                .isEqualTo(MeasurementStatus.skipped("not supported by this server: Too old"));
    }

    @Test
    void strategyWithoutMutualExclusionIsLeftOutOfLaterBenchmarks() throws InterruptedException {
        List<String> left = new ArrayList<>();

        run(
                (running, time) -> running.judge("alpha", new Violations(1, 0, 0)),
                (running, time) -> running.strategies().forEach(strategy -> left.add(strategy.name())));

        assertThat(left).containsExactly("beta");
    }

    @Test
    void aStrategyThatDidNotExcludeIsVoid() throws InterruptedException {
        BenchmarkContext context = run(
                (running, time) -> running.judge("beta", new Violations(0, 1, 0)),
                (running, time) -> running.judge("alpha", new Violations(0, 0, 0)));

        assertThat(context.results().findings().contenders())
                .extracting(contender -> contender.verdict().status())
                .containsExactly(Status.MEASURED, Status.VOID);
    }

    private BenchmarkContext run(Scenario first, Scenario second) throws InterruptedException {
        List<Benchmark> benchmarks =
                List.of(new Benchmark("B1", "first", 1, first), new Benchmark("B2", "second", 2, second));
        return new BenchmarkRun(benchmarks, RunLength.QUICK, Duration.ofMinutes(1), Duration.ofMinutes(1))
                .run(
                        environment,
                        List.of(ALPHA, BETA),
                        (step, steps, what) -> received.add(step + "/" + steps + " " + what),
                        (findings, missing) -> {});
    }

    private static void fail() {
        throw new LockException("Broken");
    }

    private static Measurement figure(String benchmark, String contender) {
        return Measurement.of(
                MeasurementKey.of(benchmark, contender, Client.SYNC), Metric.LATENCY, Estimate.once(1), 1);
    }

    private static MeasurementStatus measured() {
        return LockUnderTest.of("x", LockUnderTest.Kind.STRATEGY, "x", LockUnderTest.Properties.ofBaseline("none"))
                .verdict();
    }
}
