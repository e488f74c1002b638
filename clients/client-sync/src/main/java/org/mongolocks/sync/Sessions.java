package org.mongolocks.sync;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.mongolocks.LockName;
import org.mongolocks.internal.engine.ClientEngine;
import org.mongolocks.internal.engine.ClientEngine.Platform;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.run.DriverOptions;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.RenewalTime;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.Step;
import org.mongolocks.sync.Acquirer.RunningWork;
import org.mongolocks.sync.DistributedLock.ThreadHolds;

/** A runner of the programs of one client on the calling thread, each in a session of its own. Thread-safe. */
final class Sessions {
    private final DriverSessions driver;
    private final ClientSettings settings;
    private final ClientRuns runs;
    private final ClientThreads threads;
    private final ClientEngine engine;
    private final RunningWork work = new RunningWork();
    private final ThreadHolds threadHolds = new ThreadHolds();

    Sessions(MongoClient mongo, String database, ClientSettings settings) {
        this.settings = settings;
        this.runs = new ClientRuns(settings, ConnectionShortage.of(mongo));
        DriverOptions.requireSupported(() -> SyncPort.durable(mongo.getDatabase(database), settings.commandTimeout()));
        this.driver = new DriverSessions(mongo, database, runs);
        this.threads = new ClientThreads(this);
        this.engine = new ClientEngine(
                settings,
                runs,
                new Platform(
                        SyncChangeFeed.of(() -> mongo.getDatabase(database), settings),
                        threads.timer(),
                        threads.realTime(),
                        threads.listeners(),
                        threads,
                        Optional.of(mongo::getClusterDescription)));
    }

    ClientSettings settings() {
        return settings;
    }

    ClientEngine engine() {
        return engine;
    }

    ClientThreads threads() {
        return threads;
    }

    /** Returns the work that runs under locks of this client. */
    RunningWork work() {
        return work;
    }

    /** Returns the locks that threads have locked by {@link DistributedLock}. */
    ThreadHolds threadHolds() {
        return threadHolds;
    }

    <R> R run(String verb, LockName name, Supplier<Step<R>> program) {
        return run(task(verb, name), program);
    }

    /** Runs a program that renews leases, and has a result or fails before the first of them ends. */
    <R> R renew(LockName name, RenewalTime time, Supplier<Step<R>> program) {
        LockTask task = task("Renewing", name);
        try (StepRunner runner = open(task, Optional.of(TimeBudget.forRenewal(settings, time, runs.slowestWrite())))) {
            return runner.run(task, program);
        }
    }

    <R> R run(LockTask task, Supplier<Step<R>> program) {
        try (StepRunner runner = open(task, Optional.empty())) {
            return runner.run(task, program);
        }
    }

    <R> R runUninterruptibly(String verb, LockName name, Supplier<Step<R>> program) {
        LockTask task = task(verb, name);
        try (StepRunner runner = open(task, Optional.empty())) {
            return runner.runUninterruptibly(task, program);
        }
    }

    /** Returns a runner, which opens a session when it is used, with a limit for its commands, or the client's own. */
    StepRunner open(LockTask task, Optional<TimeBudget> limit) {
        return runner(port(task, limit.isPresent() ? limit.get() : TimeBudget.perCommand(settings.commandTimeout())));
    }

    /** Returns the runner of a session that is opened when it is used. */
    StepRunner runner(SyncPort port) {
        runs.sessionOpened();
        return new StepRunner(port, runs::sessionClosed);
    }

    SyncPort port(LockTask task, TimeBudget limit) {
        return new SyncPort(driver, runs, limit, task);
    }

    /** Returns the session of a transaction of the user, whose timeout is determined when it begins. */
    SyncPort portFor(LockTask task, Supplier<Duration> transactionTimeout) {
        return port(task, TimeBudget.forTransactions(settings.commandTimeout(), transactionTimeout));
    }

    LockTask task(String verb, LockName name) {
        return LockTask.of(verb, name, settings);
    }

    LockTask task(String verb, List<LockName> names) {
        return LockTask.of(verb, names, settings);
    }

    /** Completes when no session is open. */
    CompletableFuture<Void> idle() {
        return runs.idle();
    }
}
