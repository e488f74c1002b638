package org.mongolocks.benchmarks.run;

import com.mongodb.MongoException;
import com.mongodb.MongoInterruptedException;
import java.time.Duration;
import java.util.List;
import org.mongolocks.LockException;
import org.mongolocks.LockStorageException;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.MeasurementStatus;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.run.ProtectedData.Violations;
import org.mongolocks.reporting.server.ConnectionErrors;
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
    private long deadlineNanos = System.nanoTime() + Duration.ofDays(1).toNanos();
    private int leftOut;

    BenchmarkContext(RunEnvironment environment, List<LockStrategy> strategies, RunLength mode, ProgressSteps steps) {
        this.environment = environment;
        this.strategies = List.copyOf(strategies);
        this.mode = mode;
        this.steps = steps;
        strategies.forEach(strategy -> collector.enter(LockUnderTest.of(strategy)));
    }

    /** Starts a benchmark with all contenders that were not excluded from the whole run, and its time limit. */
    void begin(Benchmark benchmark, Duration limit) {
        deadlineNanos = System.nanoTime() + limit.toNanos();
        leftOut = 0;
        collector.begin(benchmark.id());
    }

    /** Ends the benchmark, with a remark if its time was over before all was measured. */
    void end() {
        if (leftOut > 0) {
            collector.remark("%s: its time was over, and %d of its measurements were left out."
                    .formatted(collector.benchmark(), leftOut));
        }
    }

    public RunEnvironment environment() {
        return environment;
    }

    /** Returns the time until the limit of the current benchmark; zero if it is over. */
    public Duration left() {
        return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
    }

    /** Returns whether something that takes this time ends before the limit; otherwise counts it as left out. */
    public boolean admit(Duration more) {
        boolean fits = !left().isZero() && left().compareTo(more) >= 0;
        leftOut += fits ? 0 : 1;
        return fits;
    }

    /** Returns the strategies that take part, in the order of the request. */
    public List<LockStrategy> strategies() {
        return strategies.stream().filter(strategy -> isIn(strategy.name())).toList();
    }

    public RunLength mode() {
        return mode;
    }

    /** Returns the key of a contender in the current benchmark. */
    public MeasurementKey subject(String contender, Client client) {
        return MeasurementKey.of(collector.benchmark(), contender, client);
    }

    /** Reports the current step to the user. */
    public void step(String what) {
        steps.begin(what);
    }

    /** Returns the results so far, to which more are added. */
    public ResultCollector results() {
        return collector;
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
     * Runs a part with a contender, unless it was excluded or the time of the benchmark is over. A contender may be
     * third-party code and throw any exception; a failure excludes it from the current benchmark, and the others
     * continue. A contender that the server does not support is excluded from the rest of the run.
     */
    public void attempt(String contender, Part part) throws InterruptedException {
        if (isIn(contender) && admit(Duration.ZERO)) {
            conclude(contender, part);
        }
    }

    /** Does the same even if the time is over: for what ends a measurement. */
    public void conclude(String contender, Part part) throws InterruptedException {
        if (!isIn(contender)) {
            return;
        }
        try {
            part.run();
        } catch (MongoInterruptedException e) {
            throw interrupted(e);
        } catch (LockStorageException e) {
            judge(contender, MeasurementStatus.skipped(lacking(contender) + ": " + ConnectionErrors.firstLine(e)));
        } catch (LockException | MongoException e) {
            fail(contender, ConnectionErrors.firstLine(e));
        } catch (RuntimeException e) {
            fail(contender, ConnectionErrors.firstLine(new LockException(e.toString(), e)));
        }
    }

    static InterruptedException interrupted(MongoInterruptedException cause) {
        Thread.interrupted();
        InterruptedException interrupted = new InterruptedException("The run was stopped");
        interrupted.initCause(cause);
        return interrupted;
    }

    private void fail(String contender, String reason) {
        environment.requireServer();
        collector.fail(contender, reason);
        collector.remark(
                contender + " failed in " + collector.benchmark() + ", where its figures do not count: " + reason);
    }

    private String lacking(String contender) {
        boolean needsTransactions = strategies.stream()
                .filter(strategy -> strategy.name().equals(contender))
                .anyMatch(strategy -> strategy.traits().contains(Trait.NEEDS_TRANSACTIONS));
        return needsTransactions && environment.isStandalone() ? "needs a replica set" : "not supported by this server";
    }
}
