package org.mongolocks.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;
import org.mongolocks.benchmarks.harness.Visitor.Log;
import org.mongolocks.benchmarks.measure.Fairness;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.Subject;
import org.mongolocks.benchmarks.rival.Rival;

/** Tells how a crowd shared a lock, repetition by repetition. */
final class Shares {
    private final List<Double> grantsPerSecond = new ArrayList<>();
    private final List<Double> commandsPerGrant = new ArrayList<>();
    private final List<Double> fairness = new ArrayList<>();
    private final List<Double> longestWaits = new ArrayList<>();
    private long samples;

    /** Keeps what one repetition came to. */
    void add(List<Log> logs, double seconds, long commands) {
        List<Long> shares = logs.stream().map(Log::grants).toList();
        long grants = shares.stream().mapToLong(Long::longValue).sum();
        samples += grants;
        grantsPerSecond.add(grants / seconds);
        commandsPerGrant.add((double) commands / Math.max(1, grants));
        fairness.add(Fairness.jain(shares));
        longestWaits.add(logs.stream().mapToDouble(Log::longestWaitNanos).max().orElse(0));
    }

    void record(Session session, Rival rival, Crowd crowd) {
        Subject subject = Subject.of(Contention.ID, rival.id(), rival.client())
                .with("waiters", crowd.waiters())
                .with("sectionMillis", crowd.section().toMillis());
        session.record(of(subject, Metric.THROUGHPUT, grantsPerSecond));
        session.record(of(subject, Metric.JAIN, fairness));
        session.record(of(subject, Metric.LONGEST_WAIT, longestWaits));
        if (rival.commands().isPresent()) {
            session.record(of(subject, Metric.COMMANDS_PER_GRANT, commandsPerGrant));
        }
    }

    private Measurement of(Subject subject, Metric metric, List<Double> repetitions) {
        double[] values = repetitions.stream().mapToDouble(Double::doubleValue).toArray();
        return Measurement.of(subject, metric, Estimate.mean(values), samples);
    }
}
