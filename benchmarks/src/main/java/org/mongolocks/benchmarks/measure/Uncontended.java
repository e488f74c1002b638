package org.mongolocks.benchmarks.measure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.mongolocks.benchmarks.measure.StrategyResult.Measured;
import org.mongolocks.benchmarks.measure.StrategyResult.Unmeasured;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.Subject;
import org.mongolocks.benchmarks.result.Verdict;

/** Compares the strategies as the table of {@code ./compare} shows them, with the synchronous client. */
public final class Uncontended implements Benchmark {
    private static final String ID = "B1";
    private static final int WEIGHT = 30;

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "acquire and release";
    }

    @Override
    public int weight() {
        return WEIGHT;
    }

    @Override
    public void run(Session session, Duration time) throws InterruptedException {
        Budget budget = Budget.within(time, session.strategies().size());
        session.enter(Profiles.floor(Floor.ID, "two findAndModify"));
        Measurements found = new Comparison(session, budget).run();
        session.compared(found);
        found.strategies().forEach(strategy -> tell(strategy, session));
    }

    private static void tell(StrategyResult strategy, Session session) {
        if (strategy instanceof Unmeasured unmeasured) {
            session.judge(unmeasured.name(), Verdict.skipped(unmeasured.reason()));
            return;
        }
        Measured measured = (Measured) strategy;
        if (measured.violations() > 0) {
            session.judge(
                    measured.name(),
                    Verdict.voided("More than one held the lock, " + measured.violations() + " times"));
        }
        costs(measured).forEach(session::record);
    }

    private static List<Measurement> costs(Measured strategy) {
        return strategy.crowds().entrySet().stream()
                .map(crowd -> cost(strategy, crowd))
                .toList();
    }

    private static Measurement cost(Measured strategy, Map.Entry<Integer, Contended> crowd) {
        Contended run = crowd.getValue();
        Subject subject = Subject.of("B6", strategy.name(), Client.SYNC).with("waiters", crowd.getKey());
        return Measurement.of(subject, Metric.COMMANDS_PER_GRANT, Estimate.once(run.commandsPerGrant()), run.grants());
    }
}
