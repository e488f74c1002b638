package org.mongolocks.benchmarks.measure;

import com.mongodb.MongoException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.mongolocks.LockException;
import org.mongolocks.UnsupportedServerException;
import org.mongolocks.benchmarks.measure.StrategyResult.Unmeasured;
import org.mongolocks.benchmarks.measure.StrategyResult.Why;
import org.mongolocks.benchmarks.result.Contender;
import org.mongolocks.benchmarks.result.Drift;
import org.mongolocks.benchmarks.result.Findings;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Mode;
import org.mongolocks.benchmarks.result.Verdict;
import org.mongolocks.benchmarks.server.Complaints;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Trait;

/** Is one run as its benchmarks see it: the server, the strategies, and where to tell what was found. */
public final class Session {
    /** Is what a contender has to go through. */
    @FunctionalInterface
    public interface Part {
        void run() throws InterruptedException;
    }

    private final Workbench bench;
    private final List<LockStrategy> strategies;
    private final Mode mode;
    private final Steps steps;
    private final Ledger ledger = new Ledger();
    private final StrategyTable table = new StrategyTable();

    Session(Workbench bench, List<LockStrategy> strategies, Mode mode, Steps steps) {
        this.bench = bench;
        this.strategies = List.copyOf(strategies);
        this.mode = mode;
        this.steps = steps;
        strategies.forEach(strategy -> ledger.enter(Profiles.of(strategy)));
    }

    /** Begins a benchmark, in which all take part but those who are out for good. */
    void begin(Benchmark benchmark) {
        steps.begin(benchmark);
        ledger.begin(benchmark.id());
    }

    public Workbench bench() {
        return bench;
    }

    /** Gives the strategies that take part, in the order in which they were asked for. */
    public List<LockStrategy> strategies() {
        return strategies.stream().filter(strategy -> isIn(strategy.name())).toList();
    }

    public Mode mode() {
        return mode;
    }

    /** Tells the user what is done now. */
    public void step(String what) {
        steps.begin(what);
    }

    /** Lists a floor or a peer, unless it is listed. */
    public void enter(Contender contender) {
        ledger.enter(contender);
    }

    /** Keeps a number. Its contender is a strategy, or has been entered. */
    public void record(Measurement measurement) {
        ledger.record(measurement);
    }

    /** Keeps a sentence for the reader, such as why something could not be measured. */
    public void remark(String remark) {
        ledger.remark(remark);
    }

    /** Keeps that a floor drifted too far, and says so. */
    public void drifted(Drift drift) {
        ledger.drifted(drift);
        remark(String.format(
                Locale.ROOT,
                "Noisy: in %s the floor drifted by %.0f %%; take small differences with care.",
                drift.benchmark(),
                100 * drift.value()));
    }

    /** Keeps how threads of the synchronous client shared a lock, for the table of the strategies. */
    public void contended(String contender, int waiters, Contended found) {
        if (!ledger.hasFailed(contender)) {
            table.contended(contender, waiters, found);
        }
    }

    /** Takes a contender out of the rest of the run. */
    public void judge(String contender, Verdict verdict) {
        ledger.judge(contender, verdict);
    }

    /** Takes a contender out if its protected data saw what it must never see. */
    public void judge(String contender, Violations violations) {
        if (violations.total() > 0) {
            judge(contender, Verdict.voided("More than one held the lock: " + violations));
        }
    }

    /** Tells whether a contender takes part in this benchmark. */
    public boolean isIn(String contender) {
        return ledger.isIn(contender);
    }

    /**
     * Has a contender go through a part, unless it has dropped out. It may be foreign code and fail with anything; then it
     * is out of this benchmark, and the others go on. What the server cannot run at all is out of the rest of the run.
     */
    public void attempt(String contender, Part part) throws InterruptedException {
        if (!isIn(contender)) {
            return;
        }
        try {
            part.run();
        } catch (UnsupportedServerException e) {
            lack(contender, lacking(contender), Complaints.gist(e));
        } catch (LockException | MongoException e) {
            fail(contender, Complaints.gist(e));
        } catch (RuntimeException e) {
            fail(contender, Complaints.gist(new LockException(e.toString(), e)));
        }
    }

    /** Gives what was found. */
    public Findings findings() {
        return ledger.findings();
    }

    /** Gives the table of the strategies: those that dropped out, and those that were measured if it was asked for. */
    public Measurements comparison() {
        return table.of(strategies);
    }

    void compared(Measurements found) {
        table.alone(found);
    }

    private void fail(String contender, String reason) {
        bench.requireServer();
        ledger.fail(contender, reason);
        remark(contender + " failed in " + ledger.benchmark() + ", where its figures do not count: " + reason);
        drop(contender, Why.FAILED, reason);
    }

    private void lack(String contender, Why why, String reason) {
        judge(contender, Verdict.skipped(why.phrase() + ": " + reason));
        drop(contender, why, reason);
    }

    private void drop(String contender, Why why, String reason) {
        strategy(contender).ifPresent(strategy -> table.dropped(new Unmeasured(strategy, why, reason)));
    }

    private Why lacking(String contender) {
        boolean needsTransactions = strategy(contender)
                .filter(strategy -> strategy.traits().contains(Trait.NEEDS_TRANSACTIONS))
                .isPresent();
        return needsTransactions && bench.isStandalone() ? Why.NEEDS_REPLICA_SET : Why.UNSUPPORTED;
    }

    private Optional<LockStrategy> strategy(String name) {
        return strategies.stream()
                .filter(strategy -> strategy.name().equals(name))
                .findFirst();
    }
}
