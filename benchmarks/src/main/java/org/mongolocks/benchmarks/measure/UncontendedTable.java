package org.mongolocks.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mongolocks.benchmarks.measure.StrategyResult.Measured;
import org.mongolocks.benchmarks.result.MeasurementStatus;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.sync.LockClient;

/**
 * The first part of the table of strategies, for the synchronous client: the uncontended results, and the commands of
 * each operation, which it counts. The contention benchmark adds the contended results later.
 */
public final class UncontendedTable {
    private final BenchmarkContext session;
    private final Duration each;
    private final Map<String, UncontendedResult> alone;

    /**
     * Creates a comparison.
     *
     * @param time the time for all strategies together
     * @param alone the uncontended results of the strategies, by name
     */
    public UncontendedTable(BenchmarkContext session, Duration time, Map<String, UncontendedResult> alone) {
        this.session = session;
        this.each = time.dividedBy(Math.max(1, session.strategies().size()));
        this.alone = Map.copyOf(alone);
    }

    /** Counts the commands, and judges the strategies by whether they granted a lock that was held. */
    public void run(BaselineResult floor) throws InterruptedException {
        List<Measured> measured = new ArrayList<>();
        for (LockStrategy strategy : session.strategies()) {
            session.step("commands of " + strategy.name());
            session.attempt(strategy.name(), () -> measured(strategy).ifPresent(measured::add));
        }
        session.compared(new Measurements(floor, List.copyOf(measured)));
        measured.forEach(this::judge);
    }

    private Optional<Measured> measured(LockStrategy strategy) throws InterruptedException {
        try (LockClient client = session.bench().client(strategy)) {
            CommandCostProbe probe =
                    new CommandCostProbe(client, session.bench().commands());
            CommandCosts costs = probe.run(each);
            return Optional.ofNullable(alone.get(strategy.name()))
                    .map(figures -> Measured.alone(strategy, figures, costs, probe.grantsWhileHeld()));
        }
    }

    private void judge(Measured strategy) {
        if (strategy.grantsWhileHeld() > 0) {
            session.judge(
                    strategy.name(),
                    MeasurementStatus.voided("More than one held the lock: granted " + strategy.grantsWhileHeld()
                            + " times while another held it"));
        }
    }
}
