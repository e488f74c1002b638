package org.mongolocks.benchmarks.sampling;

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
public final class InterleavedSamples {
    /**
     * A sample of an operation.
     *
     * @param lane the operation
     * @param turn the sample
     */
    record Entry(MeasuredOperation lane, Sample turn) {}

    private final List<List<Entry>> laps = new ArrayList<>();

    /** Places each operation between two turns of its baseline; neighbours share one. */
    static List<MeasuredOperation> order(List<MeasuredOperation> lanes) {
        List<MeasuredOperation> order = new ArrayList<>();
        for (MeasuredOperation lane : lanes) {
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
    public double[] values(MeasuredOperation lane, ToDoubleFunction<Sample> quantity) {
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
    public List<BracketedSample> sandwiches(MeasuredOperation lane, MeasuredOperation floor) {
        return laps.stream()
                .flatMap(lap -> IntStream.range(0, lap.size())
                        .filter(place -> lap.get(place).lane().equals(lane))
                        .mapToObj(place -> sandwich(lap, place, floor))
                        .flatMap(Optional::stream))
                .toList();
    }

    private static Optional<BracketedSample> sandwich(List<Entry> lap, int place, MeasuredOperation floor) {
        Optional<Sample> before = last(lap.subList(0, place), floor);
        Optional<Sample> after =
                turns(lap.subList(place + 1, lap.size()), floor).findFirst();
        return before.or(() -> after)
                .map(first -> new BracketedSample(first, lap.get(place).turn(), after.orElse(first)));
    }

    private static Optional<Sample> last(List<Entry> entries, MeasuredOperation lane) {
        return turns(entries, lane).reduce((earlier, later) -> later);
    }

    private static Stream<Sample> turns(List<Entry> entries, MeasuredOperation lane) {
        return entries.stream().filter(entry -> entry.lane().equals(lane)).map(Entry::turn);
    }

    private static void append(MeasuredOperation lane, List<MeasuredOperation> order) {
        if (order.isEmpty() || !order.get(order.size() - 1).equals(lane)) {
            order.add(lane);
        }
    }

    /**
     * A sample: the figures of one turn of an operation.
     *
     * @param p50Nanos the median duration, in nanoseconds
     * @param perSecond the operations per second of all threads together
     * @param cpuNanos the processor time per operation, in nanoseconds
     * @param bytes the allocated bytes per operation
     */
    public record Sample(double p50Nanos, double perSecond, double cpuNanos, double bytes) {}

    /**
     * A sample with the nearest samples of its baseline before and after it.
     *
     * @param before the baseline before
     * @param turn the sample
     * @param after the baseline after
     */
    public record BracketedSample(Sample before, Sample turn, Sample after) {
        /** Returns one quantity of the three samples. */
        public BaselineRatio.Sandwich of(ToDoubleFunction<Sample> quantity) {
            return new BaselineRatio.Sandwich(
                    quantity.applyAsDouble(before), quantity.applyAsDouble(turn), quantity.applyAsDouble(after));
        }
    }
}
