package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.sampling.InterleavedSamples.Sample;

class InterleavedSamplesTest {
    private final MeasuredOperation floor = lane("floor");
    private final MeasuredOperation other = lane("other-floor");
    private final MeasuredOperation first = lane("first").over(floor);
    private final MeasuredOperation second = lane("second").over(floor);
    private final MeasuredOperation third = lane("third").over(other);

    @Test
    void neighboursShareATurnOfTheirFloor() {
        assertThat(InterleavedSamples.order(List.of(first, second, third, floor)))
                .containsExactly(floor, first, floor, second, floor, other, third, other, floor);
    }

    @Test
    void aTurnIsComparedWithTheMeanOfTheFloorAroundIt() {
        InterleavedSamples laps = new InterleavedSamples();
        laps.add(List.of(entry(floor, 100), entry(first, 330), entry(floor, 120)));

        assertThat(ratios(laps, first)).containsExactly(3.0);
    }

    @Test
    void theNearestTurnsOfTheFloorCount() {
        InterleavedSamples laps = new InterleavedSamples();
        laps.add(List.of(
                entry(floor, 900),
                entry(floor, 100),
                entry(other, 1),
                entry(third, 200),
                entry(other, 1),
                entry(floor, 100),
                entry(floor, 900)));

        assertThat(laps.sandwiches(third, floor))
                .extracting(sandwich -> sandwich.of(Sample::p50Nanos).ratio())
                .containsExactly(2.0);
    }

    @Test
    void whereOneTurnOfTheFloorIsMissingTheOtherCountsTwice() {
        InterleavedSamples laps = new InterleavedSamples();
        laps.add(List.of(entry(first, 200), entry(floor, 100)));
        laps.add(List.of(entry(floor, 100), entry(first, 300)));

        assertThat(ratios(laps, first)).containsExactly(2.0, 3.0);
    }

    @Test
    void aLapIsNeverComparedWithAnother() {
        InterleavedSamples laps = new InterleavedSamples();
        laps.add(List.of(entry(first, 200)));
        laps.add(List.of(entry(floor, 100)));

        assertThat(ratios(laps, first)).isEmpty();
        assertThat(laps.values(first, Sample::p50Nanos)).containsExactly(200);
    }

    private List<Double> ratios(InterleavedSamples laps, MeasuredOperation lane) {
        return laps.sandwiches(lane, floor).stream()
                .map(sandwich -> sandwich.of(Sample::p50Nanos).ratio())
                .toList();
    }

    private static InterleavedSamples.Entry entry(MeasuredOperation lane, double p50) {
        return new InterleavedSamples.Entry(lane, new Sample(p50, 1, 1, 1));
    }

    private static MeasuredOperation lane(String contender) {
        return MeasuredOperation.of(MeasurementKey.of("B1", contender, Client.SYNC), () -> {});
    }
}
