package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Ratio;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;

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
        Ratio ratio = series(150, 600, 450).ratioTo("floor", series(100, 400, 100));

        assertThat(ratio.to()).isEqualTo("floor");
        assertThat(ratio.times().value()).isEqualTo(1.5, within(0.01));
    }

    private static LatencySamples series(long... medians) {
        LatencySamples series = new LatencySamples();
        LongStream.of(medians).forEach(median -> {
            Histogram nanos = new Histogram(3);
            nanos.recordValue(median);
            series.add(nanos);
        });
        return series;
    }
}
