package org.mongolocks.benchmarks.run;

import com.mongodb.MongoException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.mongolocks.LockException;
import org.mongolocks.UnsupportedServerException;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementStatus;
import org.mongolocks.benchmarks.result.MeasurementStatus.Why;
import org.mongolocks.benchmarks.result.PairedDifference.Series;
import org.mongolocks.benchmarks.result.RunResults;
import org.mongolocks.benchmarks.result.RunResults.BaselineDrift;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.run.ProtectedData.Violations;
import org.mongolocks.benchmarks.server.ConnectionErrors;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;

/** The context of a run for its benchmarks: the server, the strategies, and the collector of results. */
public final class BenchmarkContext {
    /** A part of a benchmark that one contender runs. */
    @FunctionalInterface
    public interface Part {
        void run() throws InterruptedException;
    }

    private final RunEnvironment environment;
    private final List<LockStrategy> strategies;
    private final RunLength mode;
    private final ProgressSteps steps;
    private final ResultCollector collector = new ResultCollector();
    private Duration planned = Duration.ZERO;

    BenchmarkContext(RunEnvironment environment, List<LockStrategy> strategies, RunLength mode, ProgressSteps steps) {
        this.environment = environment;
        this.strategies = List.copyOf(strategies);
        this.mode = mode;
        this.steps = steps;
        strategies.forEach(strategy -> collector.enter(StrategyDescriptions.of(strategy)));
    }

    /** Starts a benchmark with all contenders that were not excluded from the whole run, and its planned time. */
    void begin(Benchmark benchmark, Duration time) {
        planned = time;
        steps.begin(benchmark);
        collector.begin(benchmark.id());
    }

    public RunEnvironment environment() {
        return environment;
    }

    /** Returns the planned time of the current benchmark. It has less if earlier ones took longer than theirs. */
    public Duration planned() {
        return planned;
    }

    /** Returns the strategies that take part, in the order of the request. */
    public List<LockStrategy> strategies() {
        return strategies.stream().filter(strategy -> isIn(strategy.name())).toList();
    }

    public RunLength mode() {
        return mode;
    }

    /** Reports the current step to the user. */
    public void step(String what) {
        steps.begin(what);
    }

    /** Adds a baseline or a peer unless it is present. */
    public void enter(LockUnderTest contender) {
        collector.enter(contender);
    }

    /** Adds a measurement. Its contender is a strategy or was added with {@link #enter}. */
    public void record(Measurement measurement) {
        collector.record(measurement);
    }

    /** Adds the values of a contender by round. The results compare each pair of strategies by them. */
    public void compare(Series values) {
        collector.compare(values);
    }

    /** Adds a measurement that only the summary of the strategies shows. */
    public void summarize(Measurement measurement) {
        collector.summarize(measurement);
    }

    /** Adds a remark for the reader, such as why something could not be measured. */
    public void remark(String remark) {
        collector.remark(remark);
    }

    /** Records that a baseline drifted too far, and adds a remark. */
    public void drifted(BaselineDrift drift) {
        collector.drifted(drift);
        remark(String.format(
                Locale.ROOT,
                "Noisy: in %s the baseline drifted by %.0f %%; take small differences with care.",
                drift.benchmark(),
                100 * drift.value()));
    }

    /** Sets the verdict on a contender for the rest of the run. */
    public void judge(String contender, MeasurementStatus verdict) {
        collector.judge(contender, verdict);
    }

    /** Voids a contender if its checks found a violation. */
    public void judge(String contender, Violations violations) {
        if (violations.total() > 0) {
            judge(contender, MeasurementStatus.voided("More than one held the lock: " + violations));
        }
    }

    /** Returns whether a contender takes part in the current benchmark. */
    public boolean isIn(String contender) {
        return collector.isIn(contender);
    }

    /**
     * Runs a part with a contender, unless it was excluded. A contender may be third-party code and throw any
     * exception; a failure excludes it from the current benchmark, and the others continue. A contender that the server
     * does not support is excluded from the rest of the run.
     */
    public void attempt(String contender, Part part) throws InterruptedException {
        if (!isIn(contender)) {
            return;
        }
        try {
            part.run();
        } catch (UnsupportedServerException e) {
            judge(contender, MeasurementStatus.unsupported(lacking(contender), ConnectionErrors.firstLine(e)));
        } catch (LockException | MongoException e) {
            fail(contender, ConnectionErrors.firstLine(e));
        } catch (RuntimeException e) {
            fail(contender, ConnectionErrors.firstLine(new LockException(e.toString(), e)));
        }
    }

    /** Returns all results. */
    public RunResults findings() {
        return collector.findings();
    }

    private void fail(String contender, String reason) {
        environment.requireServer();
        collector.fail(contender, reason);
        remark(contender + " failed in " + collector.benchmark() + ", where its figures do not count: " + reason);
    }

    private Why lacking(String contender) {
        boolean needsTransactions = strategies.stream()
                .filter(strategy -> strategy.name().equals(contender))
                .anyMatch(strategy -> strategy.traits().contains(Trait.NEEDS_TRANSACTIONS));
        return needsTransactions && environment.isStandalone() ? Why.NEEDS_REPLICA_SET : Why.UNSUPPORTED;
    }
}
