package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.RunResults.BaselineDrift;
import org.mongolocks.benchmarks.sampling.InterleavedSamples.Sample;

class DriftCheckTest {
    private final MeasuredOperation baseline =
            MeasuredOperation.of(MeasurementKey.of("B2", "floor", Client.SYNC), () -> {});
    private final MeasuredOperation operation = MeasuredOperation.of(
                    MeasurementKey.of("B2", "alpha", Client.SYNC), () -> {})
            .over(baseline);

    @Test
    void aBaselineThatDriftsByMoreThanATenthIsNoisy() {
        assertThat(InterleavedRunner.drift(List.of(operation), samples(baseline, 100, 100, 120, 120)))
                .hasValueSatisfying(drift -> {
                    assertThat(drift)
                            .usingRecursiveComparison()
                            .ignoringFields("value")
                            .isEqualTo(new BaselineDrift("B2", "floor", Client.SYNC, 0));
                    assertThat(drift.value()).isCloseTo(0.2, within(1e-9));
                });
    }

    @Test
    void theDriftIsTheDistanceOfTheQuartiles() {
        assertThat(samples(baseline, 1_000, 1_010, 1_020, 1_030, 9_000).drift(baseline))
                .isLessThan(InterleavedRunner.NOISY);
        assertThat(samples(baseline, 900, 1_000, 1_100, 1_200, 1_300).drift(baseline))
                .isCloseTo(0.2, within(1e-9));
    }

    @Test
    void aBaselineThatStaysWhereItIsIsNot() {
        assertThat(InterleavedRunner.drift(List.of(operation), samples(baseline, 100, 101, 100, 102)))
                .isEmpty();
    }

    @Test
    void driftIsCheckedForBaselinesOnly() {
        assertThat(InterleavedRunner.drift(List.of(operation), samples(operation, 100, 500, 100, 900)))
                .isEmpty();
    }

    private static InterleavedSamples samples(MeasuredOperation operation, double... medians) {
        InterleavedSamples samples = new InterleavedSamples();
        for (double median : medians) {
            samples.add(List.of(new InterleavedSamples.Entry(operation, new Sample(median, 1, 1))));
        }
        return samples;
    }
}
