package org.mongolocks.benchmarks.race;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Subject;

class LapsTest {
    private final Lane floor = lane("floor");
    private final Lane other = lane("other-floor");
    private final Lane first = lane("first").over(floor);
    private final Lane second = lane("second").over(floor);
    private final Lane third = lane("third").over(other);

    @Test
    void neighboursShareATurnOfTheirFloor() {
        assertThat(Laps.order(List.of(first, second, third, floor)))
                .containsExactly(floor, first, floor, second, floor, other, third, other, floor);
    }

    @Test
    void aTurnIsComparedWithTheMeanOfTheFloorAroundIt() {
        Laps laps = new Laps();
        laps.add(List.of(entry(floor, 100), entry(first, 330), entry(floor, 120)));

        assertThat(ratios(laps, first)).containsExactly(3.0);
    }

    @Test
    void theNearestTurnsOfTheFloorCount() {
        Laps laps = new Laps();
        laps.add(List.of(
                entry(floor, 900),
                entry(floor, 100),
                entry(other, 1),
                entry(third, 200),
                entry(other, 1),
                entry(floor, 100),
                entry(floor, 900)));

        assertThat(laps.sandwiches(third, floor))
                .extracting(sandwich -> sandwich.of(Turn::p50Nanos).ratio())
                .containsExactly(2.0);
    }

    @Test
    void whereOneTurnOfTheFloorIsMissingTheOtherCountsTwice() {
        Laps laps = new Laps();
        laps.add(List.of(entry(first, 200), entry(floor, 100)));
        laps.add(List.of(entry(floor, 100), entry(first, 300)));

        assertThat(ratios(laps, first)).containsExactly(2.0, 3.0);
    }

    @Test
    void aLapIsNeverComparedWithAnother() {
        Laps laps = new Laps();
        laps.add(List.of(entry(first, 200)));
        laps.add(List.of(entry(floor, 100)));

        assertThat(ratios(laps, first)).isEmpty();
        assertThat(laps.values(first, Turn::p50Nanos)).containsExactly(200);
    }

    private List<Double> ratios(Laps laps, Lane lane) {
        return laps.sandwiches(lane, floor).stream()
                .map(sandwich -> sandwich.of(Turn::p50Nanos).ratio())
                .toList();
    }

    private static Laps.Entry entry(Lane lane, double p50) {
        return new Laps.Entry(lane, new Turn(p50, 1, 1, 1));
    }

    private static Lane lane(String contender) {
        return Lane.of(Subject.of("B1", contender, Client.SYNC), () -> {});
    }
}
