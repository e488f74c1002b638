package org.mongolocks.benchmarks.measure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mongolocks.benchmarks.measure.StrategyResult.Measured;
import org.mongolocks.benchmarks.result.Verdict;
import org.mongolocks.spi.LockStrategy;

/**
 * Makes the table of the strategies, with the synchronous client: what they did alone, and then, each in its time,
 *
 * <ol>
 *   <li>the commands of each operation are counted;
 *   <li>eight threads contend for one lock;
 *   <li>more and more wait for one lock, and the commands that each grant costs are counted.
 * </ol>
 */
public final class Comparison {
    @FunctionalInterface
    private interface Part {
        void measure(Trial trial) throws InterruptedException;
    }

    private final Session session;
    private final Budget budget;
    private final Map<String, Alone> alone;
    private final Map<String, Trial> trials = new LinkedHashMap<>();

    /**
     * Prepares it.
     *
     * @param time for all parts together
     * @param alone what the strategies did alone, by name
     */
    public Comparison(Session session, Duration time, Map<String, Alone> alone) {
        this.session = session;
        this.budget = Budget.within(time, session.strategies().size());
        this.alone = Map.copyOf(alone);
    }

    /** Measures everything, and judges the strategies by what their protected data saw. */
    public void run(FloorFigures floor) throws InterruptedException {
        for (LockStrategy strategy : session.strategies()) {
            session.attempt(strategy.name(), () -> trials.put(strategy.name(), new Trial(strategy, session.bench())));
        }
        forEach("commands", trial -> trial.countCommands(budget.costs()));
        forEach("contention", trial -> trial.contend(budget.contention()));
        forEach("waiters", trial -> trial.gatherCrowds(budget.crowd()));
        List<Measured> measured = session.strategies().stream()
                .map(this::measured)
                .flatMap(Optional::stream)
                .toList();
        session.compared(new Measurements(floor, List.copyOf(measured)));
        measured.forEach(this::judge);
    }

    private void forEach(String what, Part part) throws InterruptedException {
        for (Map.Entry<String, Trial> entrant : trials.entrySet()) {
            session.step(what + " of " + entrant.getKey());
            session.attempt(entrant.getKey(), () -> part.measure(entrant.getValue()));
        }
    }

    private Optional<Measured> measured(LockStrategy strategy) {
        return Optional.ofNullable(trials.get(strategy.name()))
                .flatMap(
                        trial -> Optional.ofNullable(alone.get(strategy.name())).map(trial::measured));
    }

    private void judge(Measured strategy) {
        if (strategy.violations() > 0) {
            session.judge(
                    strategy.name(),
                    Verdict.voided("More than one held the lock: " + strategy.violations() + " violations"));
        }
    }
}
