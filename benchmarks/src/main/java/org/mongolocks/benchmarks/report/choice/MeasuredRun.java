package org.mongolocks.benchmarks.report.choice;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementStatus.Status;
import org.mongolocks.benchmarks.result.PairedDifference;

/**
 * A run, as far as strategies are chosen by it.
 *
 * @param measurements their figures
 * @param differences the differences of pairs of contenders
 */
public record MeasuredRun(
        List<LockUnderTest> contenders,
        List<Measurement> measurements,
        List<PairedDifference> differences,
        Server server,
        Benchmarks benchmarks) {
    private static final String NEEDS_TRANSACTIONS = "NEEDS_TRANSACTIONS";

    public MeasuredRun {
        contenders = List.copyOf(contenders);
        measurements = List.copyOf(measurements);
        differences = List.copyOf(differences);
    }

    /**
     * The benchmarks of a run.
     *
     * @param ids the ids of those that were to run
     * @param missing the ids of those that did not end because the run was stopped
     * @param noise by how much a baseline of a benchmark drifted, as a fraction, for those where it was too much
     * @param minutes the planned time of a whole run
     */
    public record Benchmarks(List<String> ids, List<String> missing, Map<String, Double> noise, double minutes) {
        public Benchmarks {
            ids = List.copyOf(ids);
            missing = List.copyOf(missing);
            noise = new TreeMap<>(noise);
        }
    }

    /** What the choice depends on in a server. */
    public enum Server {
        /** The embedded server, whose times are not those of a database. */
        EMBEDDED,
        /** Neither a replica set nor a sharded cluster: it has no transactions. */
        STANDALONE,
        /** Any other. */
        CLUSTER
    }

    /** Returns the strategies, in the order of the request. */
    Stream<LockUnderTest> strategies() {
        return contenders.stream().filter(contender -> contender.kind() == Kind.STRATEGY);
    }

    /** Returns the strategies that may be chosen: without a violation or a failure, and able to run on this server. */
    List<LockUnderTest> candidates() {
        return strategies().filter(one -> objection(one).isEmpty()).toList();
    }

    /** Returns why a strategy may not be chosen. */
    Optional<String> objection(LockUnderTest strategy) {
        Status status = strategy.verdict().status();
        if (status == Status.VOID) {
            return Optional.of("it granted one lock to more than one owner");
        }
        if (!strategy.verdict().failures().isEmpty()) {
            String benchmark = strategy.verdict().failures().get(0).benchmark();
            String reason = strategy.verdict().failures().get(0).reason();
            return Optional.of("it failed in " + benchmark + " (" + reason + ")");
        }
        if (status == Status.SKIPPED || (isStandalone() && strategy.traits().contains(NEEDS_TRANSACTIONS))) {
            return Optional.of(strategy.verdict().reason().orElse("it needs a replica set"));
        }
        return Optional.empty();
    }

    boolean isStandalone() {
        return server == Server.STANDALONE;
    }

    /** Returns whether a contender needs no transactions, and so runs on every server. */
    static boolean runsAnywhere(LockUnderTest strategy) {
        return !strategy.traits().contains(NEEDS_TRANSACTIONS);
    }
}
