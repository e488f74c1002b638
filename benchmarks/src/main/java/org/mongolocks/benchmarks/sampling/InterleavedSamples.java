package org.mongolocks.benchmarks.sampling;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.sampling.BaselineRatio.Bracket;

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
     * Returns a quantity of the samples of an operation, each with the samples of a baseline around it. If one of the
     * two is missing, the other takes its place.
     */
    public List<Bracket> brackets(
            MeasuredOperation operation, MeasuredOperation baseline, ToDoubleFunction<Sample> quantity) {
        return samples.stream()
                .flatMap(round -> IntStream.range(0, round.size())
                        .filter(place -> round.get(place).operation().equals(operation))
                        .mapToObj(place -> bracket(round, place, baseline, quantity))
                        .flatMap(Optional::stream))
                .toList();
    }

    private static Optional<Bracket> bracket(
            List<Entry> round, int place, MeasuredOperation baseline, ToDoubleFunction<Sample> quantity) {
        Optional<Sample> before = last(round.subList(0, place), baseline);
        Optional<Sample> after =
                samples(round.subList(place + 1, round.size()), baseline).findFirst();
        return before.or(() -> after)
                .map(first -> new Bracket(
                        quantity.applyAsDouble(first),
                        quantity.applyAsDouble(round.get(place).sample()),
                        quantity.applyAsDouble(after.orElse(first))));
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
