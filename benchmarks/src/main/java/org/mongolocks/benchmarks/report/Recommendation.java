package org.mongolocks.benchmarks.report;

import static java.util.Comparator.comparingDouble;
import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.result.RunSummary;
import org.mongolocks.benchmarks.result.StrategySummary;
import org.mongolocks.benchmarks.server.ServerDescription.Kind;
import org.mongolocks.spi.Trait;

/**
 * The recommendation of a strategy, by figures and traits. Only strategies without violations and failures are
 * considered, and among these only the ones with strict fencing, if there are any. The leaders are those whose
 * uncontended cost lies within the spread of the cheapest. A single leader is recommended; of several, the one with
 * clearly more grants under contention. Otherwise, and in a noisy run, the figures are inconclusive, and the
 * recommendation says so and names the default strategy of the README.
 */
final class Recommendation {
    private static final double MANY_MORE = 1.25;
    private static final String DEFAULT = "findandmodify-counter";

    private final Report report;
    private final RunSummary summary;
    private final List<StrategySummary> candidates;

    private Recommendation(Report report) {
        this.report = report;
        this.summary = report.summary();
        this.candidates = candidates(summary);
    }

    /** Returns the recommendation in one line. */
    static String on(Report report) {
        return new Recommendation(report).line();
    }

    private String line() {
        return advice() + "." + warning() + caution();
    }

    private String advice() {
        if (!report.hasSummary()) {
            return "none; what it is made of was not measured";
        }
        if (candidates.isEmpty()) {
            return "none; no strategy stood the test";
        }
        if (candidates.size() == 1) {
            return praise(candidates.get(0)) + (isNoisy() ? "; the run was noisy: " + drift() : "");
        }
        return isNoisy()
                ? "no choice by these figures, the run was noisy: " + drift() + "; repeat it on a quieter machine"
                        + orDefault(candidates)
                : choose(leaders());
    }

    private String choose(List<StrategySummary> leaders) {
        StrategySummary busiest = leaders.get(0);
        if (leaders.stream().skip(1).allMatch(other -> throughput(busiest) > MANY_MORE * throughput(other))) {
            return praise(busiest);
        }
        String names = leaders.stream().map(StrategySummary::name).collect(joining(", "));
        return "no choice by these figures: " + names + " lie within the noise" + orDefault(leaders) + faster(busiest);
    }

    private static String orDefault(List<StrategySummary> some) {
        return some.stream().anyMatch(strategy -> strategy.name().equals(DEFAULT)) ? "; if unsure take " + DEFAULT : "";
    }

    private boolean isNoisy() {
        return summary.isNoisy();
    }

    private String drift() {
        return "the baseline drifted by " + NumberFormat.percent(summary.drift());
    }

    private static List<StrategySummary> candidates(RunSummary summary) {
        List<StrategySummary> sound = summary.strategies().stream()
                .filter(StrategySummary::isMeasured)
                .filter(strategy -> Report.isSound(strategy.strategy()))
                .toList();
        List<StrategySummary> fenced = sound.stream()
                .filter(strategy -> traits(strategy).anyMatch(Trait.STRICT_FENCING::equals))
                .toList();
        return fenced.isEmpty() ? sound : fenced;
    }

    /**
     * Returns the strategies of about the same uncontended cost, the one with the highest throughput under contention
     * first.
     */
    private List<StrategySummary> leaders() {
        double limit = candidates.stream()
                .min(comparingDouble(strategy -> strategy.figure(StrategySummary.RATIO)))
                .map(cheapest -> cheapest.figure(StrategySummary.RATIO_UPPER))
                .orElse(0.0);
        return candidates.stream()
                .filter(strategy -> strategy.figure(StrategySummary.RATIO) <= limit)
                .sorted(comparingDouble(Recommendation::throughput).reversed())
                .toList();
    }

    private String praise(StrategySummary choice) {
        String contended = choice.contendedFigures().isPresent()
                ? NumberFormat.decimal(0, throughput(choice)) + " grants/s contended, "
                : "";
        return "%s: %s times the baseline alone, %s%s%s"
                .formatted(
                        choice.name(),
                        NumberFormat.times(choice.figure(StrategySummary.RATIO)),
                        contended,
                        traits(choice).map(Recommendation::phrase).collect(joining(", ")),
                        faster(choice));
    }

    private String faster(StrategySummary choice) {
        return candidates.stream()
                .max(comparingDouble(Recommendation::throughput))
                .filter(other -> throughput(other) > MANY_MORE * throughput(choice))
                .map(other -> "; when many wait for one lock, " + other.name() + " grants "
                        + NumberFormat.times(throughput(other) / throughput(choice)) + " times as often")
                .orElse("");
    }

    private String warning() {
        String broken = String.join(", ", report.voided());
        return broken.isEmpty() ? "" : " Do not use " + broken + ": more than one held the lock.";
    }

    private String caution() {
        return report.server().kind() == Kind.EMBEDDED ? " Ask your own server with --uri before you choose." : "";
    }

    /**
     * Returns the throughput under contention; zero for all strategies if it was not measured, so that it separates
     * none.
     */
    private static double throughput(StrategySummary strategy) {
        return strategy.contendedFigures()
                .map(figures -> StrategySummary.figure(figures, StrategySummary.GRANTS_PER_SECOND))
                .orElse(0.0);
    }

    private static Stream<Trait> traits(StrategySummary strategy) {
        return strategy.strategy().traits().stream().map(Trait::valueOf).sorted();
    }

    private static String phrase(Trait trait) {
        return switch (trait) {
            case SERVER_CLOCK -> "judges expiry by the server's clock";
            case CLOCK_FREE -> "compares no clocks";
            case STRICT_FENCING -> "strictly growing fencing tokens";
            case SELF_CLEANING -> "cleans up after itself";
            case NEEDS_TRANSACTIONS -> "needs transactions";
            case MULTI_LOCK -> "takes several locks in one step";
        };
    }
}
