package org.mongolocks.benchmarks.report;

import static java.util.Comparator.comparingDouble;
import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.report.choice.BestChoice;
import org.mongolocks.benchmarks.report.choice.UseCaseMetric;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.RunSummary;
import org.mongolocks.benchmarks.result.StrategySummary;
import org.mongolocks.benchmarks.server.ServerDescription.Kind;
import org.mongolocks.spi.LockStrategy.Trait;

/**
 * The recommendation of a strategy, by figures and traits. Only strategies without violations and failures are
 * considered, and among these only the ones with strict fencing, if there are any. The fastest without contention is
 * recommended if it differs from all others; of several leaders, the one that grants most under contention, if that
 * differs from the others. Otherwise the recommendation says what would decide, and names the default strategy of the
 * README.
 */
final class Recommendation {
    private static final double WORTH_MENTIONING = 1.25;
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
        return advice() + warning() + caution();
    }

    private String advice() {
        if (!report.hasSummary()) {
            return "none without B1: --only "
                    + Stream.concat(Stream.of("B1"), report.inquiry().only().stream())
                            .collect(joining(","))
                    + ".";
        }
        if (candidates.isEmpty()) {
            return "none: each strategy was skipped, failed, or violated mutual exclusion; the remarks say why.";
        }
        BestChoice alone = choice(
                UseCaseMetric.ALONE,
                candidates.stream().map(StrategySummary::name).toList());
        BestChoice contended = choice(UseCaseMetric.CONTENDED, names(alone));
        BestChoice decisive = alone.isOne() || !contended.isOne() ? alone : contended;
        return decisive.isOne() ? recommend(named(names(decisive).get(0))) + noise() + "." : open(alone);
    }

    private BestChoice choice(UseCaseMetric metric, List<String> able) {
        return metric.choice(report.run().figures(), Client.SYNC, able);
    }

    private String open(BestChoice alone) {
        List<String> names = names(alone);
        return "no choice by these figures: " + String.join(", ", names) + " are not told apart without contention"
                + (names.contains(DEFAULT) ? "; if unsure take " + DEFAULT : "") + faster(named(names.get(0)))
                + noise() + ". " + alone.whatWouldDecide(report.inquiry().minutes());
    }

    private static List<String> names(BestChoice choice) {
        return choice.leaders().stream()
                .map(leader -> leader.subject().contender())
                .toList();
    }

    private StrategySummary named(String name) {
        return candidates.stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private String noise() {
        return summary.isNoisy() ? "; the baseline drifted by " + NumberFormat.percent(summary.drift()) : "";
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

    private String recommend(StrategySummary choice) {
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
                .filter(other -> throughput(other) > WORTH_MENTIONING * throughput(choice))
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
