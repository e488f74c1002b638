package org.mongolocks.benchmarks.sampling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The samples of an interleaved run, by round. A sample is compared with the nearest samples of its baseline before and
 * after it in the same round, so that a slower machine affects both.
 */
public final class InterleavedSamples {
    /** A sample of an operation. */
    record Entry(MeasuredOperation operation, Sample sample) {}

    private final List<List<Entry>> samples = new ArrayList<>();

    /** Places each operation between two samples of its baseline; neighbours share one. */
    static List<MeasuredOperation> order(List<MeasuredOperation> operations) {
        List<MeasuredOperation> order = new ArrayList<>();
        for (MeasuredOperation operation : operations) {
            operation.baseline().ifPresent(baseline -> append(baseline, order));
            append(operation, order);
            operation.baseline().ifPresent(order::add);
        }
        return order;
    }

    /** Adds a round, without the operations that have failed. */
    void add(List<Entry> round) {
        samples.add(List.copyOf(round));
    }

    /** Returns a quantity of all samples of an operation. */
    public double[] values(MeasuredOperation operation, ToDoubleFunction<Sample> quantity) {
        return samples.stream()
                .flatMap(List::stream)
                .filter(entry -> entry.operation().equals(operation))
                .map(Entry::sample)
                .mapToDouble(quantity)
                .toArray();
    }

    /** Returns a quantity of the samples of an operation by the number of the round, from 1. */
    public SortedMap<Integer, Double> byRound(MeasuredOperation operation, ToDoubleFunction<Sample> quantity) {
        SortedMap<Integer, Double> values = new TreeMap<>();
        for (int round = 0; round < samples.size(); round++) {
            Optional<Sample> sample = last(samples.get(round), operation);
            if (sample.isPresent()) {
                values.put(round + 1, quantity.applyAsDouble(sample.get()));
            }
        }
        return values;
    }

    /**
     * Returns the ratios of the samples of an operation to the mean of the samples of a baseline around each. If one of
     * the two is missing, the other takes its place. A baseline below one nanosecond or byte gives no ratio.
     */
    public double[] ratios(MeasuredOperation operation, MeasuredOperation baseline, ToDoubleFunction<Sample> quantity) {
        return samples.stream()
                .flatMap(round -> IntStream.range(0, round.size())
                        .filter(place -> round.get(place).operation().equals(operation))
                        .mapToObj(place -> ratio(round, place, baseline, quantity))
                        .flatMap(Optional::stream))
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    private static Optional<Double> ratio(
            List<Entry> round, int place, MeasuredOperation baseline, ToDoubleFunction<Sample> quantity) {
        Optional<Sample> before = last(round.subList(0, place), baseline);
        Optional<Sample> after =
                samples(round.subList(place + 1, round.size()), baseline).findFirst();
        return before.or(() -> after)
                .map(first -> (quantity.applyAsDouble(first) + quantity.applyAsDouble(after.orElse(first))) / 2)
                .filter(mean -> mean >= 1)
                .map(mean -> quantity.applyAsDouble(round.get(place).sample()) / mean);
    }

    /**
     * Returns by how much the upper quartile of the medians of an operation exceeds the lower, as a fraction; zero if it
     * never ran. Quartiles are robust against outliers.
     */
    double drift(MeasuredOperation operation) {
        double[] sorted =
                Arrays.stream(values(operation, Sample::p50Nanos)).sorted().toArray();
        return sorted.length == 0 ? 0 : quantile(0.75, sorted) / quantile(0.25, sorted) - 1;
    }

    /** Interpolates linearly between two values. */
    private static double quantile(double fraction, double[] sorted) {
        double position = fraction * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }

    private static Optional<Sample> last(List<Entry> entries, MeasuredOperation operation) {
        return samples(entries, operation).reduce((earlier, later) -> later);
    }

    private static Stream<Sample> samples(List<Entry> entries, MeasuredOperation operation) {
        return entries.stream()
                .filter(entry -> entry.operation().equals(operation))
                .map(Entry::sample);
    }

    private static void append(MeasuredOperation operation, List<MeasuredOperation> order) {
        if (order.isEmpty() || !order.get(order.size() - 1).equals(operation)) {
            order.add(operation);
        }
    }

    /**
     * A sample: the figures of one measurement of an operation.
     *
     * @param p50Nanos the median duration, in nanoseconds
     * @param cpuNanos the processor time per operation, in nanoseconds
     * @param bytes the allocated bytes per operation
     */
    public record Sample(double p50Nanos, double cpuNanos, double bytes) {}
}
