package org.mongolocks.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Estimate.Interval;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Ratio;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;

class DifferenceTest {
    @Test
    void onlyDisjointIntervalsAreADifference() {
        assertThat(Difference.of(value(1.0, 0.9, 1.1), value(1.3, 1.1, 1.5)).exceedsNoise())
                .isFalse();
        assertThat(Difference.of(value(1.0, 0.9, 1.1), value(1.3, 1.2, 1.5)).exceedsNoise())
                .isTrue();
        assertThat(Difference.of(value(1.3, 1.2, 1.5), value(1.0, 0.9, 1.1)).exceedsNoise())
                .isTrue();
    }

    @Test
    void withoutAnIntervalAChangeHasToBeATenth() {
        assertThat(Difference.of(value(100), value(109)).exceedsNoise()).isFalse();
        assertThat(Difference.of(value(100), value(89)).exceedsNoise()).isTrue();
        assertThat(Difference.of(value(100), value(89)).growth()).isEqualTo(-0.11, within(1e-9));
    }

    @Test
    void aRatioComesBeforeTheValue() {
        Optional<Ratio> ratio = Optional.of(new Ratio("floor-ping", Estimate.once(2)));

        Difference change = Difference.of(value(100).with(ratio), value(900).with(ratio));

        assertThat(change.growth()).isZero();
        assertThat(change.unit()).isEqualTo("x floor-ping");
    }

    @Test
    void onlyMeasurementsOfBothRunsAreCompared() {
        Measurement reactive = measurement(Client.REACTIVE, Estimate.once(1));

        assertThat(DifferenceReport.between(List.of(value(1)), List.of(reactive)))
                .isEmpty();
        assertThat(DifferenceReport.between(List.of(value(1)), List.of(reactive, value(1))))
                .hasSize(1);
    }

    private static Measurement value(double value, double low, double high) {
        return measurement(Client.SYNC, new Estimate(value, Optional.of(new Interval(low, high)), 6));
    }

    private static Measurement value(double value) {
        return measurement(Client.SYNC, Estimate.once(value));
    }

    private static Measurement measurement(Client client, Estimate estimate) {
        return Measurement.of(
                MeasurementKey.of("B1", "alpha", client).with("threads", 1), Metric.LATENCY, estimate, 10);
    }
}
