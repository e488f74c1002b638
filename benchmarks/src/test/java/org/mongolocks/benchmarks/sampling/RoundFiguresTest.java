package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Ratio;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.run.Benchmark;
import org.mongolocks.benchmarks.run.BenchmarkRun;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.run.EmbeddedEnvironment;
import org.mongolocks.benchmarks.sampling.Rounds.Round;

class RoundFiguresTest {
    private static final MeasurementKey SUBJECT = MeasurementKey.of("B5", "some", Client.SYNC);
    private static final MeasurementKey BASELINE = MeasurementKey.of("B5", "floor", Client.SYNC);

    private final RoundFigures figures = new RoundFigures();

    @AutoClose
    private final EmbeddedEnvironment server = new EmbeddedEnvironment();

    @Test
    void theValueOfLatenciesIsTheMedianOfTheRounds() throws InterruptedException {
        addAll(SUBJECT, 100, 300, 200);

        Measurement measurement = recorded().get(0);

        assertThat(measurement.value().value()).isEqualTo(200);
        assertThat(measurement.value().repetitions()).isEqualTo(3);
        assertThat(measurement.samples()).isEqualTo(3);
        assertThat(measurement.percentiles().orElseThrow().max()).isEqualTo(300);
    }

    @Test
    void otherValuesAreEstimatedAsTheCallerWants() throws InterruptedException {
        figures.add(new Round(1, true), SUBJECT, Metric.JAIN, 1, 10);
        figures.add(new Round(2, true), SUBJECT, Metric.JAIN, 0.5, 20);

        Measurement measurement = recorded().get(0);

        assertThat(measurement.value().value()).isEqualTo(0.75);
        assertThat(measurement.samples()).isEqualTo(30);
        assertThat(measurement.percentiles()).isEmpty();
    }

    @Test
    void eachRoundIsComparedWithTheBaselineOfThatRound() throws InterruptedException {
        addAll(SUBJECT, 150, 600, 450, 150, 150, 150);
        addAll(BASELINE, 100, 400, 100, 100, 100, 100);

        Ratio ratio = recorded().get(0).ratio().orElseThrow();

        assertThat(ratio.to()).isEqualTo("floor");
        assertThat(ratio.times().value()).isEqualTo(1.5, within(0.01));
        assertThat(recorded().get(1).ratio()).isEmpty();
    }

    @Test
    void ratiosToBaselinesAroundAValueComeBeforeThoseOfTheRound() throws InterruptedException {
        addAll(SUBJECT, 150, 150, 150, 150, 150, 150);
        addAll(BASELINE, 100, 100, 100, 100, 100, 100);
        for (int number = 1; number <= 6; number++) {
            figures.compare(new Round(number, true), SUBJECT, Metric.LATENCY, 150, 50);
            figures.compare(new Round(number, true), SUBJECT, Metric.LATENCY, 150, 0.001);
        }

        assertThat(recorded().get(0).ratio().orElseThrow().times().value()).isEqualTo(3);
    }

    /** Such as the processor time that a JVM does not report. */
    @Test
    void baselineOfZeroGivesNoRatio() throws InterruptedException {
        addAll(SUBJECT, 0, 0, 0, 0, 0, 0);
        addAll(BASELINE, 0, 0, 0, 0, 0, 0);
        assertThat(recorded()).allMatch(measurement -> measurement.ratio().isEmpty());

        for (int number = 1; number <= 6; number++) {
            figures.compare(new Round(number, true), SUBJECT, Metric.LATENCY, 150, 0);
        }
        assertThat(recorded().get(0).ratio()).isEmpty();
    }

    @Test
    void allTurnsOfARoundAreEstimated() throws InterruptedException {
        for (double value : new double[] {1, 2, 6}) {
            figures.add(new Round(1, true), SUBJECT, Metric.CPU, value, 1);
        }
        figures.add(new Round(1, true), SUBJECT, Metric.CPU, Double.NaN, 1);

        assertThat(recorded().get(0).value()).isEqualTo(Estimate.mean(1, 2, 6));
    }

    @Test
    @Tag("finds:compare-too-few-turns")
    void ratioOfTooFewTurnsIsLeftOut() throws InterruptedException {
        addAll(SUBJECT, 150, 150, 150, 150, 150);
        addAll(BASELINE, 100, 100, 100, 100, 100);

        assertThat(recorded()).allMatch(measurement -> measurement.ratio().isEmpty());
    }

    @Test
    void aBaselineWhoseQuartilesAreMoreThanATenthApartIsNoisy() {
        addAll(SUBJECT, 1_000, 1_010, 1_020, 1_030, 9_000);
        assertThat(figures.drift(List.of(SUBJECT, MeasurementKey.of("B5", "unknown", Client.SYNC))))
                .isEmpty();

        addAll(BASELINE, 900, 1_000, 1_100, 1_200, 1_300);
        assertThat(figures.drift(List.of(SUBJECT, BASELINE))).hasValueSatisfying(drift -> {
            assertThat(drift.baseline()).isEqualTo("floor");
            assertThat(drift.value()).isCloseTo(0.2, within(0.01));
        });
    }

    @Test
    void onlyRoundsThatCountHaveValues() throws InterruptedException {
        figures.add(new Round(1, false), SUBJECT, nanos(900));
        figures.add(new Round(2, true), SUBJECT, nanos(100));

        assertThat(recorded()).singleElement().satisfies(measurement -> {
            assertThat(measurement.value().value()).isEqualTo(100.0);
            assertThat(measurement.value().repetitions()).isEqualTo(1);
            assertThat(measurement.samples()).isEqualTo(1);
        });
    }

    private void addAll(MeasurementKey subject, long... medians) {
        for (int number = 1; number <= medians.length; number++) {
            figures.add(new Round(number, true), subject, nanos(medians[number - 1]));
        }
    }

    private List<Measurement> recorded() throws InterruptedException {
        Benchmark benchmark = new Benchmark("B5", "recording", 1, (context, time) -> {
            for (String id : List.of("some", "floor")) {
                context.results().enter(LockUnderTest.of(id, Kind.PEER, id, Properties.ofBaseline("majority")));
            }
            figures.record(
                    context,
                    Estimate::mean,
                    (subject, metric) -> Optional.of("floor").filter(id -> !subject.equals(BASELINE)));
        });
        return new BenchmarkRun(List.of(benchmark), RunLength.QUICK, Duration.ZERO, Duration.ofMinutes(1))
                .run(server.environment(), List.of(), (step, steps, what) -> {}, (findings, missing) -> {})
                .results()
                .findings()
                .measurements();
    }

    private static Histogram nanos(long value) {
        Histogram nanos = new Histogram(3);
        nanos.recordValue(value);
        return nanos;
    }
}
