package org.mongolocks.benchmarks.report;

import static java.util.Comparator.comparingDouble;
import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Optional;
import org.mongolocks.benchmarks.measure.StrategyResult;
import org.mongolocks.benchmarks.measure.StrategyResult.Measured;
import org.mongolocks.benchmarks.server.ServerDescription.Kind;
import org.mongolocks.spi.Trait;

/**
 * Advises, by numbers and traits. Only strategies without violations and errors count, and those with strict fencing
 * before others. Of those whose cost alone lies within the spread of the cheapest, the one with the most grants under
 * contention is the choice; another is named beside it if it grants many more.
 */
final class Advice {
    private static final double MANY_MORE = 1.25;

    private final Report report;
    private final List<Measured> field;

    private Advice(Report report) {
        this.report = report;
        this.field = field(report);
    }

    /** Gives one line. */
    static String on(Report report) {
        return new Advice(report).line();
    }

    private String line() {
        String advice = choice().map(this::praise).orElse("none; no strategy stood the test");
        return advice + "." + warning() + caution();
    }

    private static List<Measured> field(Report report) {
        List<Measured> sound = report.measured().stream()
                .filter(strategy -> strategy.violations() == 0)
                .filter(strategy -> strategy.errors().isEmpty())
                .toList();
        List<Measured> fenced = sound.stream()
                .filter(strategy -> strategy.traits().contains(Trait.STRICT_FENCING))
                .toList();
        return fenced.isEmpty() ? sound : fenced;
    }

    private Optional<Measured> choice() {
        double limit = field.stream()
                .min(comparingDouble(strategy -> strategy.ratio().median()))
                .map(cheapest -> cheapest.ratio().upper())
                .orElse(0.0);
        return field.stream()
                .filter(strategy -> strategy.ratio().median() <= limit)
                .max(comparingDouble(Advice::throughput));
    }

    private String praise(Measured choice) {
        return "%s: %s times the floor alone, %s grants/s contended, %s%s"
                .formatted(
                        choice.name(),
                        Figures.times(choice.ratio().median()),
                        Figures.decimal(0, throughput(choice)),
                        traits(choice),
                        rival(choice));
    }

    private String rival(Measured choice) {
        return field.stream()
                .max(comparingDouble(Advice::throughput))
                .filter(rival -> throughput(rival) > MANY_MORE * throughput(choice))
                .map(rival -> "; when many wait for one lock, " + rival.name() + " grants "
                        + Figures.times(throughput(rival) / throughput(choice)) + " times as often")
                .orElse("");
    }

    private String warning() {
        String broken = report.measured().stream()
                .filter(strategy -> strategy.violations() > 0)
                .map(StrategyResult::name)
                .collect(joining(", "));
        return broken.isEmpty() ? "" : " Do not use " + broken + ": more than one held the lock.";
    }

    private String caution() {
        return report.server().kind() == Kind.EMBEDDED ? " Ask your own server with --uri before you choose." : "";
    }

    private static double throughput(Measured strategy) {
        return strategy.contended().grantsPerSecond();
    }

    private static String traits(StrategyResult strategy) {
        return strategy.traits().stream().sorted().map(Advice::phrase).collect(joining(", "));
    }

    private static String phrase(Trait trait) {
        return switch (trait) {
            case SERVER_CLOCK -> "judges expiry by the server's clock";
            case CLOCK_FREE -> "compares no clocks";
            case STRICT_FENCING -> "strictly growing fencing tokens";
            case SELF_CLEANING -> "cleans up after itself";
            case NEEDS_TRANSACTIONS -> "needs transactions";
        };
    }
}
