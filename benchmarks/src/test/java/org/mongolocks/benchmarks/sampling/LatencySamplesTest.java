package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Ratio;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.sampling.Rounds.Round;

class LatencySamplesTest {
    @Test
    void theValueIsTheMedianOfTheRepetitions() {
        LatencySamples series = series(100, 300, 200);

        Measurement measurement = series.measurement(MeasurementKey.of("B5", "some", Client.SYNC), Metric.LATENCY);

        assertThat(measurement.value().value()).isEqualTo(200);
        assertThat(measurement.value().repetitions()).isEqualTo(3);
        assertThat(measurement.samples()).isEqualTo(3);
        assertThat(measurement.percentiles().orElseThrow().max()).isEqualTo(300);
    }

    @Test
    void eachRepetitionIsComparedWithTheBaselineOfItsRound() {
        Ratio ratio = series(150, 600, 450, 150, 150, 150)
                .ratioTo("floor", series(100, 400, 100, 100, 100, 100))
                .orElseThrow();

        assertThat(ratio.to()).isEqualTo("floor");
        assertThat(ratio.times().value()).isEqualTo(1.5, within(0.01));
    }

    @Test
    void onlyRoundsThatCountHaveValues() {
        LatencySamples series = new LatencySamples();
        series.add(new Round(1, false), nanos(900));
        series.add(new Round(2, true), nanos(100));

        assertThat(series.byRound()).containsExactly(Map.entry(2, 100.0));
    }

    private static LatencySamples series(long... medians) {
        LatencySamples series = new LatencySamples();
        for (int number = 1; number <= medians.length; number++) {
            series.add(new Round(number, true), nanos(medians[number - 1]));
        }
        return series;
    }

    private static Histogram nanos(long value) {
        Histogram nanos = new Histogram(3);
        nanos.recordValue(value);
        return nanos;
    }
}
