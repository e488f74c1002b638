package org.mongolocks.benchmarks.report.choice;

import static java.util.Comparator.comparingDouble;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.result.Estimate.Interval;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.PairedDifference;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;

/**
 * The best contenders by their figures. Two differ if their paired difference is significant. Without an interval of
 * that, as for a count or after fewer than three rounds, they differ if the intervals of their figures do not overlap,
 * where a count is taken as accurate to 1 %.
 *
 * @param leaders the best, and those that do not differ from it; empty if there were no candidates
 * @param others the rest, the better first
 * @param differences the paired differences of the best from the other leaders, those with an interval
 */
public record BestChoice(List<Measurement> leaders, List<Measurement> others, List<PairedDifference> differences) {
    /** The longest time of a run, in minutes. */
    public static final int MAX_MINUTES = 600;

    private static final double NEAR = 0.01;
    private static final double MIN_ROUNDS = 3;
    private static final double USUAL_MINUTES = (double) RunLength.NORMAL.time().toMinutes();
    private static final String UNDECIDABLE =
            "A run of " + MAX_MINUTES + " minutes would not decide either: choose by guarantees.";

    private static final String SAME = "They are the same within 2 %: choose by guarantees.";

    /**
     * Compares figures.
     *
     * @param figures a figure of each candidate, of one metric and setting
     * @param differences the paired differences of a run, with or without those of the candidates
     * @param isMoreBetter whether the larger figure is the better one
     */
    static BestChoice among(List<Measurement> figures, List<PairedDifference> differences, boolean isMoreBetter) {
        Comparator<Measurement> smallFirst =
                Comparator.comparingDouble(one -> one.value().value());
        List<Measurement> bestFirst = figures.stream()
                .sorted(isMoreBetter ? smallFirst.reversed() : smallFirst)
                .toList();
        return bestFirst.isEmpty()
                ? new BestChoice(List.of(), List.of(), List.of())
                : new Comparison(differences, isMoreBetter).of(bestFirst);
    }

    /** Returns whether two figures that were not taken in pairs differ. */
    private static boolean isDistinct(Measurement best, Measurement other) {
        return interval(best)
                .flatMap(mine -> interval(other).map(ends -> !mine.overlaps(ends)))
                .orElse(false);
    }

    public boolean isEmpty() {
        return leaders.isEmpty();
    }

    public boolean isOne() {
        return leaders.size() == 1;
    }

    /**
     * Returns in a sentence or two what would tell the leaders apart: a command, or their guarantees.
     *
     * @param minutes the time of this run, that of all benchmarks together
     */
    public String whatWouldDecide(double minutes) {
        if (differences.size() < leaders.size() - 1) {
            return unpaired(minutes);
        }
        if (differences.stream().allMatch(PairedDifference::isNegligible)) {
            return SAME;
        }
        return differences.stream()
                .filter(pair -> !pair.isNegligible() && pair.roundsToDecide() > 1)
                .max(comparingDouble(PairedDifference::roundsToDecide))
                .map(pair -> longerRun(pair, minutes))
                .orElse("They differ by about 2 %: choose by guarantees.");
    }

    private String unpaired(double minutes) {
        String benchmark = leaders.get(0).subject().benchmark();
        OptionalInt fewest = leaders.stream()
                .filter(one -> interval(one).isEmpty())
                .mapToInt(one -> one.value().repetitions())
                .min();
        if (fewest.isPresent()) {
            double needed = minutes * MIN_ROUNDS / fewest.getAsInt();
            return "There is no interval, which needs three rounds"
                    + command(benchmark, Math.max(needed, USUAL_MINUTES));
        }
        if (leaders.stream().noneMatch(one -> one.metric().isTimed())) {
            return SAME;
        }
        double enough = minutes * timesToPart();
        String longer = enough <= MAX_MINUTES ? "; those of a longer run would not" : "";
        return "Their intervals overlap" + longer + command(benchmark, enough);
    }

    /** Returns how many times as long a run has intervals that no longer overlap: they narrow with its square root. */
    private double timesToPart() {
        Measurement best = leaders.get(0);
        return leaders.stream()
                .skip(1)
                .mapToDouble(one -> Math.pow(
                        (reach(best) + reach(one))
                                / Math.abs(best.value().value() - one.value().value()),
                        2))
                .max()
                .orElse(1);
    }

    private static double reach(Measurement one) {
        return interval(one).map(ends -> (ends.high() - ends.low()) / 2).orElse(0.0);
    }

    private static String longerRun(PairedDifference pair, double minutes) {
        double times = pair.roundsToDecide();
        int rounds = pair.ratio().repetitions();
        return times * minutes > MAX_MINUTES
                ? UNDECIDABLE
                : "About %d rounds would decide, this run had %d".formatted((long) Math.ceil(times * rounds), rounds)
                        + command(pair.first().benchmark(), times * minutes);
    }

    private static String command(String benchmark, double minutes) {
        return minutes <= MAX_MINUTES
                ? ": --only %s --minutes %d.".formatted(benchmark, (long) Math.ceil(minutes))
                : ". " + UNDECIDABLE;
    }

    /** Returns the interval of a figure. A single count is taken as accurate to 1 %; a single time has no interval. */
    private static Optional<Interval> interval(Measurement one) {
        return one.value()
                .interval()
                .or(() -> one.metric().isTimed()
                        ? Optional.empty()
                        : Optional.of(new Interval(
                                (1 - NEAR) * one.value().value(),
                                (1 + NEAR) * one.value().value())));
    }

    /** The comparison of figures in pairs. */
    private record Comparison(Collection<PairedDifference> differences, boolean isMoreBetter) {
        /** Compares all with the first to which none of them is preferred. */
        BestChoice of(List<Measurement> bestFirst) {
            Measurement best = bestFirst.stream()
                    .filter(one -> bestFirst.stream().noneMatch(other -> isBetter(other, one)))
                    .findFirst()
                    .orElse(bestFirst.get(0));
            List<Measurement> equals = bestFirst.stream()
                    .filter(one -> !one.equals(best) && !isBetter(best, one))
                    .toList();
            return new BestChoice(
                    Stream.concat(Stream.of(best), equals.stream()).toList(),
                    bestFirst.stream().filter(one -> isBetter(best, one)).toList(),
                    equals.stream().flatMap(one -> pair(best, one).stream()).toList());
        }

        private boolean isBetter(Measurement winner, Measurement loser) {
            return pair(winner, loser)
                    .map(pair -> pair.isSignificant() && isFor(pair, winner))
                    .orElseGet(() -> isDistinct(winner, loser)
                            && (winner.value().value() > loser.value().value()) == isMoreBetter);
        }

        private boolean isFor(PairedDifference pair, Measurement one) {
            boolean isFirst = pair.first().contender().equals(one.subject().contender());
            return (pair.isFirstLarger() == isFirst) == isMoreBetter;
        }

        private Optional<PairedDifference> pair(Measurement one, Measurement other) {
            return differences.stream()
                    .filter(pair -> pair.isBetween(one, other))
                    .filter(pair -> pair.ratio().interval().isPresent())
                    .findFirst();
        }
    }
}
