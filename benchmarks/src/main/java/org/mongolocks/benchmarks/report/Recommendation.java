package org.mongolocks.benchmarks.report;

import static java.util.Comparator.comparingDouble;
import static java.util.stream.Collectors.joining;

import java.util.List;
import org.mongolocks.benchmarks.measure.ContentionResult;
import org.mongolocks.benchmarks.measure.StrategyResult;
import org.mongolocks.benchmarks.measure.StrategyResult.Measured;
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
    private static final String IN_DOUBT = "findandmodify-counter";

    private final Report report;
    private final List<Measured> field;

    private Recommendation(Report report) {
        this.report = report;
        this.field = field(report);
    }

    /** Returns the recommendation in one line. */
    static String on(Report report) {
        return new Recommendation(report).line();
    }

    private String line() {
        return advice() + "." + warning() + caution();
    }

    private String advice() {
        if (!report.hasTable()) {
            return "none; what it is made of was not measured";
        }
        if (field.isEmpty()) {
            return "none; no strategy stood the test";
        }
        if (field.size() == 1) {
            return praise(field.get(0)) + (isNoisy() ? "; the run was noisy: " + drift() : "");
        }
        return isNoisy()
                ? "no choice by these figures, the run was noisy: " + drift() + "; repeat it on a quieter machine"
                        + inDoubt(field)
                : choose(leaders());
    }

    private String choose(List<Measured> leaders) {
        Measured busiest = leaders.get(0);
        if (leaders.stream().skip(1).allMatch(other -> throughput(busiest) > MANY_MORE * throughput(other))) {
            return praise(busiest);
        }
        String names = leaders.stream().map(StrategyResult::name).collect(joining(", "));
        return "no choice by these figures: " + names + " lie within the noise" + inDoubt(leaders) + rival(busiest);
    }

    private static String inDoubt(List<Measured> candidates) {
        return candidates.stream().anyMatch(strategy -> strategy.name().equals(IN_DOUBT))
                ? "; in doubt take " + IN_DOUBT
                : "";
    }

    private boolean isNoisy() {
        return report.measurements().floor().isNoisy();
    }

    private String drift() {
        return "the floor drifted by "
                + NumberFormat.percent(report.measurements().floor().drift());
    }

    private static List<Measured> field(Report report) {
        List<Measured> sound =
                report.measured().stream().filter(report::isSound).toList();
        List<Measured> fenced = sound.stream()
                .filter(strategy -> strategy.traits().contains(Trait.STRICT_FENCING))
                .toList();
        return fenced.isEmpty() ? sound : fenced;
    }

    /**
     * Returns the strategies of about the same uncontended cost, the one with the highest throughput under contention
     * first.
     */
    private List<Measured> leaders() {
        double limit = field.stream()
                .min(comparingDouble(strategy -> strategy.ratio().median()))
                .map(cheapest -> cheapest.ratio().upper())
                .orElse(0.0);
        return field.stream()
                .filter(strategy -> strategy.ratio().median() <= limit)
                .sorted(comparingDouble(Recommendation::throughput).reversed())
                .toList();
    }

    private String praise(Measured choice) {
        String contended = choice.contended()
                .map(run -> NumberFormat.decimal(0, run.grantsPerSecond()) + " grants/s contended, ")
                .orElse("");
        return "%s: %s times the floor alone, %s%s%s"
                .formatted(
                        choice.name(),
                        NumberFormat.times(choice.ratio().median()),
                        contended,
                        traits(choice),
                        rival(choice));
    }

    private String rival(Measured choice) {
        return field.stream()
                .max(comparingDouble(Recommendation::throughput))
                .filter(rival -> throughput(rival) > MANY_MORE * throughput(choice))
                .map(rival -> "; when many wait for one lock, " + rival.name() + " grants "
                        + NumberFormat.times(throughput(rival) / throughput(choice)) + " times as often")
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
    private static double throughput(Measured strategy) {
        return strategy.contended().map(ContentionResult::grantsPerSecond).orElse(0.0);
    }

    private static String traits(StrategyResult strategy) {
        return strategy.traits().stream().sorted().map(Recommendation::phrase).collect(joining(", "));
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
