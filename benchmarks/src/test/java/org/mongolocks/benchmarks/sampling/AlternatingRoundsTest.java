package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.driver.RawCommands;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.run.Benchmark;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.BenchmarkRun;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.run.EmbeddedEnvironment;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.run.StubStrategy;
import org.mongolocks.benchmarks.sampling.Repetition.Operation;

class AlternatingRoundsTest {
    private static final Duration FOREVER = Duration.ofDays(1);

    @AutoClose
    private final EmbeddedEnvironment server = new EmbeddedEnvironment();

    private final RunEnvironment environment = server.environment();

    @Test
    void runEndsWhenAllOperationsHaveFailed() throws InterruptedException {
        BenchmarkContext context = runner(
                Duration.ofSeconds(1),
                run -> List.of(operation(run, "alpha", () -> {
                            throw new LockException("Broken");
                        })
                        .over(ping(run))));

        assertThat(context.isIn("alpha")).isFalse();
        assertThat(context.results().findings().measurements()).isEmpty();
    }

    @Test
    @Timeout(60)
    void runWithoutOperationsEndsAtOnce() throws InterruptedException {
        assertThat(runner(FOREVER, run -> List.of()).results().findings().measurements())
                .isEmpty();
    }

    @Test
    void runWithoutTimeHasFiguresOfAllAndNoRatioOfOneTurn() throws InterruptedException {
        BenchmarkContext context = runner(
                Duration.ZERO, run -> List.of(operation(run, "alpha", () -> {}).over(ping(run))));

        assertThat(context.results().findings().measurements())
                .extracting(Measurement::subject)
                .contains(
                        MeasurementKey.of("B1", "alpha", Client.SYNC),
                        MeasurementKey.of("B1", "floor-ping", Client.SYNC));
        assertThat(context.results().findings().measurements())
                .filteredOn(measurement -> measurement.metric().name().equals("latency"))
                .filteredOn(measurement -> measurement.subject().contender().equals("alpha"))
                .hasSize(1)
                .allSatisfy(measurement -> assertThat(measurement.ratio()).isEmpty());
    }

    @Test
    void eachOperationRunsBetweenTwoSamplesOfItsBaselineWhichNeighboursShare() throws InterruptedException {
        List<String> order = new ArrayList<>();
        runner(Duration.ZERO, run -> {
            run.results().enter(Baseline.PING.contender());
            MeasuredOperation floor = operation(run, Baseline.PING.contender().id(), () -> order.add("floor"));
            return List.of(
                    operation(run, "alpha", () -> order.add("alpha")).over(floor),
                    operation(run, "beta", () -> order.add("beta")).over(floor),
                    operation(run, "beta", () -> order.add("alone")));
        });

        assertThat(order).endsWith("floor", "alpha", "floor", "beta", "floor", "alone");
    }

    private BenchmarkContext runner(Duration time, Function<BenchmarkContext, List<MeasuredOperation>> factory)
            throws InterruptedException {
        Benchmark benchmark = new Benchmark("B1", "a run", 1, (context, share) -> measure(context, share, factory));
        BenchmarkRun benchmarkRun = new BenchmarkRun(List.of(benchmark), RunLength.QUICK, time, Duration.ofMinutes(1));
        return benchmarkRun.run(
                environment,
                List.of(new StubStrategy("alpha", Set.of()), new StubStrategy("beta", Set.of())),
                (step, steps, what) -> {},
                (findings, missing) -> {});
    }

    private static void measure(
            BenchmarkContext context, Duration time, Function<BenchmarkContext, List<MeasuredOperation>> factory)
            throws InterruptedException {
        new AlternatingRounds(context, factory.apply(context)).run(time);
    }

    private static MeasuredOperation ping(BenchmarkContext context) {
        context.results().enter(Baseline.PING.contender());
        RawCommands raw = context.environment()
                .driver(Client.SYNC)
                .raw(context.environment().name("baseline"));
        return operation(context, Baseline.PING.contender().id(), () -> Baseline.PING.run(raw));
    }

    private static MeasuredOperation operation(BenchmarkContext context, String contender, Operation operation) {
        return MeasuredOperation.of(context.subject(contender, Client.SYNC), operation);
    }
}
