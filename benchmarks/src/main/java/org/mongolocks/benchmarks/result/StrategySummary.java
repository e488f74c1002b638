package org.mongolocks.benchmarks.result;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.mongolocks.benchmarks.result.MeasurementStatus.Obstacle;

/**
 * One strategy in the summary of a run: its measurements with the synchronous client. The metrics below are measured
 * for the summary only.
 *
 * @param strategy the strategy
 * @param latency the latency of acquire and release of an uncontended lock, if it was measured
 * @param uncontended the other figures without contention; empty if it was not measured to the end
 * @param contended the figures under contention for each number of waiters of {@link #WAITERS} that was measured
 */
public record StrategySummary(
        LockUnderTest strategy,
        Optional<Measurement> latency,
        Map<Metric, Double> uncontended,
        SortedMap<Integer, Map<Metric, Double>> contended) {
    /** The numbers of waiters that the summary shows; one more thread holds the lock. */
    public static final List<Integer> WAITERS = List.of(1, 8, 64);

    /** The number of waiters in tables that show only one. */
    public static final int CONTENDED = 8;

    /** The parameter of figures under contention. */
    public static final String WAITERS_PARAMETER = "waiters";

    /**
     * The latency as a multiple of that of {@link RunSummary#BASELINE}: the median of all samples, and the quartiles.
     */
    public static final Metric RATIO = new Metric("ratioToFloor", "ratio");

    public static final Metric RATIO_LOWER = new Metric("ratioLowerQuartile", "ratio");
    public static final Metric RATIO_UPPER = new Metric("ratioUpperQuartile", "ratio");
    /** The drift between the two baseline samples around a sample: the median of all samples. */
    public static final Metric DRIFT = new Metric("floorDrift", "ratio");

    /** The mean number of commands to acquire a lock that was never used. */
    public static final Metric ACQUIRE_FREE = new Metric("acquireFree", "commands");
    /** The mean number of commands to acquire a lock that was used and released. */
    public static final Metric ACQUIRE_RELEASED = new Metric("acquireReleased", "commands");
    /** The mean number of commands of one attempt at a lock that another owner holds. */
    public static final Metric ACQUIRE_HELD = new Metric("acquireHeld", "commands");
    /** The mean number of commands to renew a lease. */
    public static final Metric RENEW = new Metric("renew", "commands");
    /** The mean number of commands to release a lock. */
    public static final Metric RELEASE = new Metric("release", "commands");

    /**
     * The mean number of queries that the server has to plan, for each metric of {@link #COMMANDS}: a query for a value
     * of {@code _id} and nothing else needs no plan. Known for an embedded server only.
     */
    public static final UnaryOperator<Metric> PLANNED = commands -> new Metric(commands.name() + "Planned", "queries");
    /**
     * The mean number of expressions that the server evaluates, for each metric of {@link #COMMANDS}. Known for an
     * embedded server only.
     */
    public static final UnaryOperator<Metric> EVALUATED =
            commands -> new Metric(commands.name() + "Evaluated", "expressions");

    /** The number of grants while another owner held the lock. */
    public static final Metric GRANTS_WHILE_HELD = new Metric("grantsWhileHeld", "grants");

    public static final Metric THREADS = new Metric("threads", "threads");
    public static final Metric SECONDS = new Metric("seconds", "s");
    public static final Metric GRANTS = new Metric("grants", "grants");
    public static final Metric GRANTS_PER_SECOND = new Metric("grantsPerSecond", "1/s");
    public static final Metric FAIRNESS = new Metric("fairness", "ratio");
    public static final Metric LONGEST_WAIT = new Metric("longestWaitNanos", "ns");
    public static final Metric COMMANDS_PER_GRANT = new Metric("commandsPerGrant", "commands");
    public static final Metric NOT_ALONE = new Metric("notAlone", "violations");
    public static final Metric UNORDERED_TOKENS = new Metric("unorderedTokens", "violations");
    public static final Metric LOST_UPDATES = new Metric("lostUpdates", "violations");

    /** The metrics of the commands, in the order of the results. */
    public static final List<Metric> COMMANDS = List.of(ACQUIRE_FREE, ACQUIRE_RELEASED, ACQUIRE_HELD, RENEW, RELEASE);
    /** The metrics of the violations, in the order of the results. */
    public static final List<Metric> VIOLATIONS = List.of(NOT_ALONE, UNORDERED_TOKENS, LOST_UPDATES);

    /** Selects the measurements of a strategy. */
    static StrategySummary of(LockUnderTest strategy, Optional<Measurement> latency, List<Measurement> figures) {
        Map<Metric, Double> uncontended = new HashMap<>();
        SortedMap<Integer, Map<Metric, Double>> contended = new TreeMap<>();
        for (Measurement figure : figures) {
            Map<Metric, Double> target = figure.subject().parameters().get(WAITERS_PARAMETER) instanceof Integer waiters
                    ? contended.computeIfAbsent(waiters, unknown -> new HashMap<>())
                    : uncontended;
            target.put(figure.metric(), figure.value().value());
        }
        return new StrategySummary(strategy, latency, uncontended, contended);
    }

    public String name() {
        return strategy.id();
    }

    /** Returns whether it was measured without contention, to the end. */
    public boolean isMeasured() {
        return latency.isPresent() && uncontended.containsKey(RATIO);
    }

    /** Returns why it was not measured to the end. */
    public Optional<Obstacle> obstacle() {
        return isMeasured() ? Optional.empty() : strategy.verdict().obstacle();
    }

    /** Returns a figure without contention of a strategy that was measured. */
    public double figure(Metric metric) {
        return figure(uncontended, metric);
    }

    /** Returns a figure, or zero if it is absent. */
    public static double figure(Map<Metric, Double> figures, Metric metric) {
        return figures.getOrDefault(metric, 0.0);
    }

    /** Returns the figures for {@link #CONTENDED} waiters, if they were measured. */
    public Optional<Map<Metric, Double>> contendedFigures() {
        return Optional.ofNullable(contended.get(CONTENDED));
    }

    /** Returns whether every number of waiters was measured. */
    public boolean hasAllWaiters() {
        return contended.keySet().containsAll(WAITERS);
    }

    /** Returns the number of all violations of mutual exclusion. */
    public long violations() {
        double inContention = contended.values().stream()
                .flatMapToDouble(figures -> VIOLATIONS.stream().mapToDouble(metric -> figure(figures, metric)))
                .sum();
        return (long) (figure(GRANTS_WHILE_HELD) + inContention);
    }
}
