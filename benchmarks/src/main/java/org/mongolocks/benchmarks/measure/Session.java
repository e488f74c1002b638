package org.mongolocks.benchmarks.measure;

import com.mongodb.MongoException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.UnsupportedServerException;
import org.mongolocks.benchmarks.result.Contender;
import org.mongolocks.benchmarks.result.Findings;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Mode;
import org.mongolocks.benchmarks.result.Verdict;
import org.mongolocks.benchmarks.server.Complaints;
import org.mongolocks.spi.LockStrategy;

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
    private @Nullable Measurements comparison;

    Session(Workbench bench, List<LockStrategy> strategies, Mode mode, Steps steps) {
        this.bench = bench;
        this.strategies = List.copyOf(strategies);
        this.mode = mode;
        this.steps = steps;
        strategies.forEach(strategy -> ledger.enter(Profiles.of(strategy)));
    }

    public Workbench bench() {
        return bench;
    }

    /** Gives the strategies that have not dropped out, in the order in which they were asked for. */
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

    /** Tells whether a contender still takes part. */
    public boolean isIn(String contender) {
        return ledger.isIn(contender);
    }

    /**
     * Has a contender go through a part, unless it has dropped out. It may be foreign code and fail with anything; then it
     * drops out, and the others go on.
     */
    public void attempt(String contender, Part part) throws InterruptedException {
        if (!isIn(contender)) {
            return;
        }
        try {
            part.run();
        } catch (UnsupportedServerException e) {
            judge(contender, Verdict.skipped(Complaints.gist(e)));
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

    /** Gives the table of the strategies, if it was asked for. */
    public Optional<Measurements> comparison() {
        return Optional.ofNullable(comparison);
    }

    void compared(Measurements found) {
        comparison = found;
    }

    private void fail(String contender, String reason) {
        bench.requireServer();
        judge(contender, Verdict.skipped("It failed: " + reason));
    }
}
