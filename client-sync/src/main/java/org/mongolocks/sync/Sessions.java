package org.mongolocks.sync;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.mongolocks.ClientSettings;
import org.mongolocks.LockName;
import org.mongolocks.internal.engine.ClientEngine;
import org.mongolocks.internal.engine.ClientEngine.Platform;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.run.DriverOptions;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.RenewalTime;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.spi.Step;
import org.mongolocks.sync.Acquirer.RunningWork;

/** A runner of the programs of one client on the calling thread, each in a session of its own. Thread-safe. */
final class Sessions {
    private final MongoClient mongo;
    private final MongoDatabase database;
    private final ClientSettings settings;
    private final ClientRuns runs;
    private final ClientThreads threads;
    private final ClientEngine engine;
    private final RunningWork work = new RunningWork();

    Sessions(MongoClient mongo, String database, ClientSettings settings) {
        this.mongo = mongo;
        this.settings = settings;
        this.runs = ClientRuns.of(settings, ConnectionShortage.of(mongo));
        MongoDatabase plain = mongo.getDatabase(database);
        this.database = DriverOptions.requireSupported(() -> SyncPort.durable(plain, runs));
        this.threads = new ClientThreads(this);
        this.engine = new ClientEngine(
                settings,
                runs,
                new Platform(
                        SyncChangeFeed.of(plain, this.database, settings),
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

    /** Opens a session with a limit for its commands, or with the client's own. */
    StepRunner open(LockTask task, Optional<TimeBudget> limit) {
        TimeBudget budget = limit.isPresent() ? limit.get() : TimeBudget.perCommand(settings.commandTimeout());
        ClientSession session = SyncPort.openSession(mongo, refusal -> runs.driverClosed(task, refusal));
        runs.sessionOpened();
        return new StepRunner(session, new SyncPort(mongo, database, runs, session, budget), runs::sessionClosed);
    }

    /** Opens a session for a transaction of the user, whose timeout is determined when it begins. */
    StepRunner openFor(LockTask task, Supplier<Duration> transactionTimeout) {
        return open(task, Optional.of(TimeBudget.forTransactions(settings.commandTimeout(), transactionTimeout)));
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
