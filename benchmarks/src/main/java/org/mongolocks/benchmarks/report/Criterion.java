package org.mongolocks.benchmarks.report;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.PairedDifference;
import org.mongolocks.benchmarks.result.RunResults;

/** A need, the figure that decides how well a lock serves it, and the one rule that says whether two locks differ in it. */
enum Criterion {
    /** Acquire and release without contention. */
    ALONE("B1", "latency", "time alone"),
    /** The processor time of the client for the same. */
    PROCESSOR("B1", "cpu", "processor"),
    /** From a release to the next grant. */
    HAND_OVER("B5", "latency", "hand-over"),
    /** Grants per second to the most waiters. */
    CONTENDED("B6", "throughput", "contended"),
    /** From the death of a holder to the next grant. */
    RECOVERY("B9", "recovery", "after a crash"),
    /** The commands of a grant and its release. */
    COMMANDS("B10", "commands", "commands"),
    /** The bytes of a grant and its release. */
    BYTES("B10", "bytes", "bytes");

    private static final double ACCURACY_OF_COUNTS = Math.log(1.02);
    /** The setting that decides comes last: a killed holder, and the most waiters without work under the lock. */
    private static final Comparator<Map<String, Object>> DECISIVE = Comparator.<Map<String, Object>, Boolean>comparing(
                    setting -> "killed".equals(setting.get("end")))
            .thenComparing(setting -> number(setting, "waiters"))
            .thenComparing(setting -> -number(setting, "sectionMillis"));

    private final String benchmark;
    private final String metric;
    private final String title;

    Criterion(String benchmark, String metric, String title) {
        this.benchmark = benchmark;
        this.metric = metric;
        this.title = title;
    }

    /** Returns those that depend on time: not the counts of commands and bytes. */
    static Stream<Criterion> times() {
        return Stream.of(values()).filter(one -> one != COMMANDS && one != BYTES);
    }

    String benchmark() {
        return benchmark;
    }

    String metric() {
        return metric;
    }

    /** Returns the need in words. */
    String title() {
        return title;
    }

    /** Returns the figure of a lock in the decisive setting of the run. */
    Optional<Measurement> figure(RunResults run, Client client, String lock) {
        Optional<Map<String, Object>> setting = all(run).<Map<String, Object>>map(
                        one -> one.subject().parameters())
                .max(DECISIVE);
        return all(run).filter(one -> one.subject().client() == client
                        && one.subject().contender().equals(lock)
                        && one.subject().parameters().equals(setting.orElseThrow()))
                .findFirst();
    }

    private Stream<Measurement> all(RunResults run) {
        return run.measurements().stream()
                .filter(one -> one.subject().benchmark().equals(benchmark)
                        && one.metric().name().equals(metric));
    }

    private static double number(Map<String, Object> setting, String parameter) {
        return setting.get(parameter) instanceof Number number ? number.doubleValue() : 0;
    }

    /**
     * Returns the figure of a lock divided by that of another, if they differ clearly. Times differ if their paired
     * difference is clear, which needs three rounds; counts, which depend on no other load, if they are more than 2 %
     * apart.
     */
    Optional<Double> times(RunResults run, Client client, String lock, String other) {
        return figure(run, client, lock)
                .flatMap(mine -> figure(run, client, other).flatMap(its -> times(run, mine, its)));
    }

    private static Optional<Double> times(RunResults run, Measurement mine, Measurement other) {
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

    /** Returns whether a lock is clearly better than another. */
    boolean isBetter(RunResults run, Client client, String lock, String other) {
        return times(run, client, lock, other)
                .filter(times -> times > 1 == (this == CONTENDED))
                .isPresent();
    }
}
