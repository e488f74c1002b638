package org.mongolocks.benchmarks.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Drift;
import org.mongolocks.benchmarks.result.Subject;

class NoiseTest {
    private final Lane floor = Lane.of(Subject.of("B2", "floor", Client.SYNC), () -> {});
    private final Lane lane =
            Lane.of(Subject.of("B2", "alpha", Client.SYNC), () -> {}).over(floor);

    @Test
    void aFloorThatDriftsByMoreThanATenthIsNoisy() {
        assertThat(Noise.of(List.of(lane), laps(floor, 100, 100, 120, 120))).hasValueSatisfying(drift -> {
            assertThat(drift)
                    .usingRecursiveComparison()
                    .ignoringFields("value")
                    .isEqualTo(new Drift("B2", "floor", Client.SYNC, 0));
            assertThat(drift.value()).isCloseTo(0.2, within(1e-9));
        });
    }

    @Test
    void aFloorThatStaysWhereItIsIsNot() {
        assertThat(Noise.of(List.of(lane), laps(floor, 100, 101, 100, 102))).isEmpty();
    }

    @Test
    void whatIsNoFloorMayDrift() {
        assertThat(Noise.of(List.of(lane), laps(lane, 100, 500, 100, 900))).isEmpty();
    }

    private static Laps laps(Lane lane, double... medians) {
        Laps laps = new Laps();
        for (double median : medians) {
            laps.add(List.of(new Laps.Entry(lane, new Turn(median, 1, 1, 1))));
        }
        return laps;
    }
}
