package org.mongolocks.benchmarks.report.choice;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.report.chart.ChartData;
import org.mongolocks.benchmarks.report.chart.ChartHeading;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.PairedDifference;

/** A property by which contenders are compared, and the one rule that says whether two of them differ in it. */
public enum Criterion {
    /** Acquire and release without contention. */
    ALONE("B1", "latency", "", "less", "time to acquire and release"),
    /** The processor time of the client for the same. */
    PROCESSOR("B1", "cpu", "", "less", "processor time of the client"),
    /** The commands of a grant and its release. */
    COMMANDS("B10", "commands", "", "fewer", "commands"),
    /** The bytes of a grant and its release. */
    BYTES("B10", "bytes", "", "fewer", "bytes"),
    /** From a release to the next grant. */
    HAND_OVER("B5", "latency", "", "less", "time to hand over"),
    /** Grants per second to the most waiters. */
    CONTENDED("B6", "throughput", "", "fewer", "grants a second to %s waiters"),
    /** From the death of a holder to the next grant. */
    RECOVERY("B9", "recovery", "killed", "less", "time until the lock of a killed process is free");

    private static final double ACCURACY_OF_COUNTS = Math.log(1.02);

    private final String benchmark;
    private final String metric;
    private final String end;
    private final String less;
    private final String title;

    Criterion(String benchmark, String metric, String end, String less, String title) {
        this.benchmark = benchmark;
        this.metric = metric;
        this.end = end;
        this.less = less;
        this.title = title;
    }

    /**
     * A clear difference of a contender from another.
     *
     * @param criterion what differs
     * @param times that of the contender divided by that of the other: for times from the rounds in which both ran
     */
    public record Contrast(Criterion criterion, Measurement figure, double times) {
        /** Returns whether the contender is the better one. */
        public boolean isBetter() {
            return times > 1 == ChartHeading.isMoreBetter(criterion.metric);
        }

        /** Returns the difference in words. */
        public String words() {
            if (times >= 2) {
                return String.format(Locale.ROOT, "%.1f times the ", times) + criterion.title(figure);
            }
            return Math.round(100 * Math.abs(times - 1)) + " % " + (times > 1 ? "more" : criterion.less) + " "
                    + criterion.title(figure);
        }
    }

    /** Returns those that depend on time: not the counts of commands and bytes. */
    static Stream<Criterion> times() {
        return Stream.of(values()).filter(one -> one != COMMANDS && one != BYTES);
    }

    /** Returns the id of the benchmark. */
    public String benchmark() {
        return benchmark;
    }

    /** Returns the name of the metric. */
    public String metric() {
        return metric;
    }

    /**
     * Returns how a contender differs clearly from another. Times differ if their paired difference is clear, which
     * needs three rounds; counts, which depend on no other load, if they are more than 2 % apart.
     */
    public Optional<Contrast> contrast(MeasuredRun run, Client client, String contender, String other) {
        return figure(run, client, contender)
                .flatMap(mine -> figure(run, client, other)
                        .flatMap(its -> times(run, mine, its))
                        .map(times -> new Contrast(this, mine, times)));
    }

    private static Optional<Double> times(MeasuredRun run, Measurement mine, Measurement other) {
        if (!mine.metric().isTimed()) {
            double times = mine.value().value() / other.value().value();
            return Optional.of(times).filter(found -> Math.abs(Math.log(found)) > ACCURACY_OF_COUNTS);
        }
        return run.differences().stream()
                .filter(pair -> pair.isBetween(mine, other))
                .filter(PairedDifference::isClear)
                .map(pair -> pair.second().equals(mine.subject().contender())
                        ? 1 / pair.ratio().value()
                        : pair.ratio().value())
                .findFirst();
    }

    /** Returns the figure of a contender with a client, of the largest scenario. */
    public Optional<Measurement> figure(MeasuredRun run, Client client, String contender) {
        return figures(run).stream()
                .filter(one -> one.subject().client() == client)
                .filter(one -> one.subject().contender().equals(contender))
                .findFirst();
    }

    /** Returns what is measured, in words. */
    public String title(Measurement figure) {
        return title.formatted(figure.subject().parameters().getOrDefault("waiters", "the"));
    }

    /** Returns the figures of all contenders. All have the same parameters, with the maximum on the axis. */
    private List<Measurement> figures(MeasuredRun run) {
        return ChartData.of(run.measurements().stream()
                        .filter(one -> one.subject().benchmark().equals(benchmark)
                                && one.metric().name().equals(metric))
                        .toList())
                .stream()
                .map(this::part)
                .flatMap(part -> largest(part).stream())
                .toList();
    }

    private ChartData part(ChartData data) {
        return data.facets().entrySet().stream()
                .filter(facet -> facet.getKey().getOrDefault("end", "").equals(end))
                .map(Map.Entry::getValue)
                .findFirst()
                .or(() -> data.facets().values().stream().findFirst())
                .orElse(data);
    }

    private static List<Measurement> largest(ChartData part) {
        return part.axis()
                .map(axis -> part.filtered(one -> setting(one, axis) == most(part, axis)))
                .orElse(part)
                .measurements();
    }

    private static double most(ChartData part, String axis) {
        return part.measurements().stream()
                .map(one -> setting(one, axis))
                .max(Comparator.naturalOrder())
                .orElse(0.0);
    }

    private static double setting(Measurement one, String axis) {
        return one.subject().parameters().get(axis) instanceof Number number
                ? number.doubleValue()
                : Double.NEGATIVE_INFINITY;
    }
}
