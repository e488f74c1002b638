package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.RunResults.BaselineDrift;
import org.mongolocks.benchmarks.sampling.InterleavedRunner.DriftCheck;
import org.mongolocks.benchmarks.sampling.InterleavedSamples.Sample;

class DriftCheckTest {
    private final MeasuredOperation floor =
            MeasuredOperation.of(MeasurementKey.of("B2", "floor", Client.SYNC), () -> {});
    private final MeasuredOperation lane = MeasuredOperation.of(MeasurementKey.of("B2", "alpha", Client.SYNC), () -> {})
            .over(floor);

    @Test
    void aFloorThatDriftsByMoreThanATenthIsNoisy() {
        assertThat(DriftCheck.of(List.of(lane), laps(floor, 100, 100, 120, 120)))
                .hasValueSatisfying(drift -> {
                    assertThat(drift)
                            .usingRecursiveComparison()
                            .ignoringFields("value")
                            .isEqualTo(new BaselineDrift("B2", "floor", Client.SYNC, 0));
                    assertThat(drift.value()).isCloseTo(0.2, within(1e-9));
                });
    }

    @Test
    void aFloorThatStaysWhereItIsIsNot() {
        assertThat(DriftCheck.of(List.of(lane), laps(floor, 100, 101, 100, 102)))
                .isEmpty();
    }

    @Test
    void whatIsNoFloorMayDrift() {
        assertThat(DriftCheck.of(List.of(lane), laps(lane, 100, 500, 100, 900))).isEmpty();
    }

    private static InterleavedSamples laps(MeasuredOperation lane, double... medians) {
        InterleavedSamples laps = new InterleavedSamples();
        for (double median : medians) {
            laps.add(List.of(new InterleavedSamples.Entry(lane, new Sample(median, 1, 1, 1))));
        }
        return laps;
    }
}
