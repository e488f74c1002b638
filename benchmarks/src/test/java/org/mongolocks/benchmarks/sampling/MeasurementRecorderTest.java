package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Ratio;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.run.Benchmark;
import org.mongolocks.benchmarks.run.BenchmarkRun;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.run.EmbeddedEnvironment;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.sampling.InterleavedSamples.Sample;

class MeasurementRecorderTest {
    private final MeasuredOperation baseline =
            MeasuredOperation.of(MeasurementKey.of("B1", "floor-a", Client.SYNC), () -> {});
    private final MeasuredOperation operation = MeasuredOperation.of(
                    MeasurementKey.of("B1", "alpha", Client.SYNC), () -> {})
            .over(baseline);

    @AutoClose
    private final EmbeddedEnvironment server = new EmbeddedEnvironment();

    private final RunEnvironment environment = server.environment();

    @Test
    void everyQuantityIsComparedWithThatOfTheBaseline() throws InterruptedException {
        List<Measurement> measured = measured(6, new Sample(100, 10, 50), new Sample(250, 30, 75));

        assertThat(measured)
                .extracting(measurement -> measurement.metric().name())
                .containsExactly("latency", "cpu", "allocation");
        assertThat(measured)
                .extracting(measurement ->
                        measurement.ratio().map(Ratio::times).orElseThrow().value())
                .containsExactly(2.5, 3.0, 1.5);
    }

    @Test
    void ratioToAZeroBaselineIsLeftOut() throws InterruptedException {
        List<Measurement> measured = measured(6, new Sample(100, 10, 0.001), new Sample(250, 30, 75));

        assertThat(measured.get(2).value().value()).isEqualTo(75);
        assertThat(measured.get(2).ratio()).isEmpty();
    }

    @Test
    @Tag("finds:compare-too-few-turns")
    void ratioOfTooFewTurnsIsLeftOut() throws InterruptedException {
        List<Measurement> measured = measured(5, new Sample(100, 10, 50), new Sample(250, 30, 75));

        assertThat(measured)
                .hasSize(3)
                .allMatch(measurement -> measurement.ratio().isEmpty());
    }

    @Test
    void contenderWithoutSamplesHasNoFigures() throws InterruptedException {
        assertThat(record(new InterleavedSamples())).isEmpty();
    }

    private List<Measurement> measured(int rounds, Sample ofBaseline, Sample ofOperation) throws InterruptedException {
        InterleavedSamples samples = new InterleavedSamples();
        for (int round = 1; round <= rounds; round++) {
            samples.add(List.of(
                    new InterleavedSamples.Entry(baseline, ofBaseline),
                    new InterleavedSamples.Entry(operation, ofOperation),
                    new InterleavedSamples.Entry(baseline, ofBaseline)));
        }
        return record(samples);
    }

    private List<Measurement> record(InterleavedSamples samples) throws InterruptedException {
        Benchmark recording = new Benchmark("B1", "recording", 1, (context, time) -> {
            context.enter(LockUnderTest.of("alpha", Kind.PEER, "alpha", Properties.ofBaseline("majority")));
            new MeasurementRecorder(context, samples).latency(operation);
        });
        return new BenchmarkRun(List.of(recording), RunLength.QUICK, Duration.ZERO, Duration.ofMinutes(1))
                .run(environment, List.of(), (step, steps, what) -> {}, (findings, missing) -> {})
                .findings()
                .measurements();
    }
}
