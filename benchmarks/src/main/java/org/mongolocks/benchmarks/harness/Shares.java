package org.mongolocks.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.mongolocks.benchmarks.measure.Contended;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.Subject;
import org.mongolocks.benchmarks.rival.Rival;

/** The results of a contention scenario, by turn. */
final class Shares {
    private final List<Contended> turns = new ArrayList<>();

    void add(Contended turn) {
        turns.add(turn);
    }

    /** Returns the sum of all turns. */
    Contended total() {
        return Contended.total(turns);
    }

    void record(Session session, Rival rival, Crowd crowd) {
        Subject subject = Subject.of(Contention.ID, rival.id(), rival.client())
                .with("waiters", crowd.waiters())
                .with("sectionMillis", crowd.section().toMillis());
        session.record(of(subject, Metric.THROUGHPUT, Contended::grantsPerSecond));
        session.record(of(subject, Metric.JAIN, Contended::fairness));
        session.record(of(subject, Metric.LONGEST_WAIT, Contended::longestWaitNanos));
        if (rival.commands().isPresent()) {
            session.record(of(subject, Metric.COMMANDS_PER_GRANT, Contended::commandsPerGrant));
        }
    }

    private Measurement of(Subject subject, Metric metric, ToDoubleFunction<Contended> figure) {
        double[] values = turns.stream().mapToDouble(figure).toArray();
        return Measurement.of(subject, metric, Estimate.mean(values), total().grants());
    }
}
