package org.mongolocks.benchmarks.report.html;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.result.Estimate.Interval;
import org.mongolocks.benchmarks.result.Measurement;

/**
 * The best contenders by their figures.
 *
 * @param leaders the best, and those that are not significantly different from it; empty if there were no candidates
 * @param others the rest, the better first
 */
record BestChoice(List<Measurement> leaders, List<Measurement> others) {
    private static final double NEAR = 0.01;

    /** Compares figures. Two differ significantly only if both have an interval and the intervals do not overlap. */
    static BestChoice among(List<Measurement> figures, boolean isMoreBetter) {
        Comparator<Measurement> smallFirst =
                Comparator.comparingDouble(one -> one.value().value());
        List<Measurement> bestFirst = figures.stream()
                .sorted(isMoreBetter ? smallFirst.reversed() : smallFirst)
                .toList();
        return new BestChoice(
                bestFirst.stream()
                        .filter(one -> !isDistinct(bestFirst.get(0), one))
                        .toList(),
                bestFirst.stream()
                        .filter(one -> isDistinct(bestFirst.get(0), one))
                        .toList());
    }

    static boolean isDistinct(Measurement best, Measurement other) {
        return interval(best)
                .flatMap(mine -> interval(other).map(ends -> !mine.overlaps(ends)))
                .orElse(false);
    }

    /** Returns the interval of a figure. A single count is taken as accurate to 1 %; a single time has no interval. */
    private static Optional<Interval> interval(Measurement one) {
        return one.value()
                .interval()
                .or(() -> isTimed(one)
                        ? Optional.empty()
                        : Optional.of(new Interval(
                                (1 - NEAR) * one.value().value(),
                                (1 + NEAR) * one.value().value())));
    }

    private static boolean isTimed(Measurement one) {
        return one.metric().unit().startsWith("ns") || one.metric().unit().equals("1/s");
    }

    /** Returns all candidates, the best first. */
    List<Measurement> all() {
        return Stream.concat(leaders.stream(), others.stream()).toList();
    }

    boolean isNobody() {
        return leaders.isEmpty();
    }

    boolean isOne() {
        return leaders.size() == 1;
    }

    boolean hasIntervals() {
        return leaders.stream().allMatch(one -> interval(one).isPresent());
    }
}
