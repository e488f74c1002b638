package org.mongolocks.benchmarks.race;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The samples of an interleaved run, by round. A sample is compared with the nearest samples of its baseline before and
 * after it in the same round, so that a slower machine affects both.
 */
final class Laps {
    /**
     * A sample of an operation.
     *
     * @param lane the operation
     * @param turn the sample
     */
    record Entry(Lane lane, Turn turn) {}

    private final List<List<Entry>> laps = new ArrayList<>();

    /** Places each operation between two turns of its baseline; neighbours share one. */
    static List<Lane> order(List<Lane> lanes) {
        List<Lane> order = new ArrayList<>();
        for (Lane lane : lanes) {
            lane.floor().ifPresent(floor -> append(floor, order));
            append(lane, order);
            lane.floor().ifPresent(order::add);
        }
        return order;
    }

    /** Adds a round, without the operations that have failed. */
    void add(List<Entry> lap) {
        laps.add(List.copyOf(lap));
    }

    /** Returns a quantity of all samples of an operation. */
    double[] values(Lane lane, ToDoubleFunction<Turn> quantity) {
        return laps.stream()
                .flatMap(List::stream)
                .filter(entry -> entry.lane().equals(lane))
                .map(Entry::turn)
                .mapToDouble(quantity)
                .toArray();
    }

    /**
     * Returns the samples of an operation, each with the samples of a baseline around it. If one of the two is missing,
     * the other takes its place.
     */
    List<Sandwich> sandwiches(Lane lane, Lane floor) {
        return laps.stream()
                .flatMap(lap -> IntStream.range(0, lap.size())
                        .filter(place -> lap.get(place).lane().equals(lane))
                        .mapToObj(place -> sandwich(lap, place, floor))
                        .flatMap(Optional::stream))
                .toList();
    }

    private static Optional<Sandwich> sandwich(List<Entry> lap, int place, Lane floor) {
        Optional<Turn> before = last(lap.subList(0, place), floor);
        Optional<Turn> after = turns(lap.subList(place + 1, lap.size()), floor).findFirst();
        return before.or(() -> after)
                .map(first -> new Sandwich(first, lap.get(place).turn(), after.orElse(first)));
    }

    private static Optional<Turn> last(List<Entry> entries, Lane lane) {
        return turns(entries, lane).reduce((earlier, later) -> later);
    }

    private static Stream<Turn> turns(List<Entry> entries, Lane lane) {
        return entries.stream().filter(entry -> entry.lane().equals(lane)).map(Entry::turn);
    }

    private static void append(Lane lane, List<Lane> order) {
        if (order.isEmpty() || !order.get(order.size() - 1).equals(lane)) {
            order.add(lane);
        }
    }
}
