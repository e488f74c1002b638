package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Ratio;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.RunLength;
import org.mongolocks.benchmarks.run.Benchmark;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.BenchmarkRun;
import org.mongolocks.benchmarks.run.EmbeddedBench;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.sampling.InterleavedSamples.Sample;

class MeasurementRecorderTest {
    private final MeasuredOperation floor =
            MeasuredOperation.of(MeasurementKey.of("B1", "floor-a", Client.SYNC), () -> {});
    private final MeasuredOperation lane = MeasuredOperation.of(MeasurementKey.of("B1", "alpha", Client.SYNC), () -> {})
            .over(floor);

    @AutoClose
    private final EmbeddedBench server = new EmbeddedBench();

    private final RunEnvironment bench = server.bench();

    @Test
    void everyQuantityIsComparedWithThatOfTheFloor() throws InterruptedException {
        List<Measurement> measured = measured(new Sample(100, 1, 10, 50), new Sample(250, 1, 30, 75));

        assertThat(measured)
                .extracting(measurement -> measurement.metric().name())
                .containsExactly("latency", "cpu", "allocation");
        assertThat(measured)
                .extracting(measurement ->
                        measurement.ratio().map(Ratio::times).orElseThrow().value())
                .containsExactly(2.5, 3.0, 1.5);
    }

    @Test
    void nothingIsAMultipleOfWhatTheFloorDoesNotUse() throws InterruptedException {
        List<Measurement> measured = measured(new Sample(100, 1, 10, 0.001), new Sample(250, 1, 30, 75));

        assertThat(measured.get(2).value().value()).isEqualTo(75);
        assertThat(measured.get(2).ratio()).isEmpty();
    }

    @Test
    void whoNeverRanHasNoFigures() throws InterruptedException {
        assertThat(record(new InterleavedSamples())).isEmpty();
    }

    private List<Measurement> measured(Sample ofFloor, Sample ofLane) throws InterruptedException {
        InterleavedSamples laps = new InterleavedSamples();
        laps.add(List.of(
                new InterleavedSamples.Entry(floor, ofFloor),
                new InterleavedSamples.Entry(lane, ofLane),
                new InterleavedSamples.Entry(floor, ofFloor)));
        return record(laps);
    }

    private List<Measurement> record(InterleavedSamples laps) throws InterruptedException {
        Benchmark recording = new Recording(laps, lane);
        return new BenchmarkRun(List.of(recording), RunLength.QUICK, Duration.ZERO)
                .run(bench, List.of(), (step, steps, what) -> {})
                .findings()
                .measurements();
    }

    private record Recording(InterleavedSamples laps, MeasuredOperation lane) implements Benchmark {
        @Override
        public String id() {
            return "B1";
        }

        @Override
        public String title() {
            return "recording";
        }

        @Override
        public int weight() {
            return 1;
        }

        @Override
        public void run(BenchmarkContext session, Duration time) {
            session.enter(LockUnderTest.of("alpha", Kind.PEER, "alpha", Properties.ofFloor("majority")));
            new MeasurementRecorder(session, laps).latency(lane);
        }
    }
}
