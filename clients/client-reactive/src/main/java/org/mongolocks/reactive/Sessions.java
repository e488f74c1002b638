package org.mongolocks.reactive;

import static java.lang.System.Logger.Level.WARNING;

import com.mongodb.reactivestreams.client.MongoClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.mongolocks.LockName;
import org.mongolocks.internal.engine.ClientEngine;
import org.mongolocks.internal.engine.ClientEngine.Platform;
import org.mongolocks.internal.run.BackgroundLog;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.BackgroundRunner;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.run.CompensatedProgram;
import org.mongolocks.internal.run.DriverOptions;
import org.mongolocks.internal.run.GrowingLimit;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.RenewalTime;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.schema.ClientStartup;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.reactive.StepRunner.TransactionSession;
import org.mongolocks.spi.Step;
import reactor.core.publisher.Mono;

/** A runner of the programs of one client, which starts a program for each subscriber. Thread-safe. */
final class Sessions {
    private final StepRunner runner;
    private final ClientSettings settings;
    private final ClientThreads threads;
    private final ClientEngine engine;

    /** Creates the runner of a client; nothing is sent yet. */
    Sessions(MongoClient mongo, String database, ClientSettings settings) {
        this.settings = settings;
        ClientRuns runs = new ClientRuns(settings, ConnectionShortage.of(mongo));
        DriverOptions.requireSupported(
                () -> ReactivePort.durable(mongo.getDatabase(database), settings.commandTimeout()));
        this.threads = new ClientThreads(settings);
        this.runner = new StepRunner(new DriverSessions(mongo, database, runs), runs, threads);
        this.engine = new ClientEngine(
                settings,
                runs,
                new Platform(
                        ReactiveChangeFeed.of(() -> mongo.getDatabase(database), settings),
                        threads.timer(),
                        threads.realTime(),
                        threads.listeners(settings),
                        inBackground(),
                        Optional.of(mongo::getClusterDescription)));
    }

    /** Checks the server, and creates or checks the client's collections. */
    Mono<Void> prepare() {
        LockTask task = LockTask.of("Preparing a client", settings);
        return this.<List<String>>run(task, () -> () -> new ClientStartup(settings).start())
                .doOnNext(warnings -> warnings.forEach(warning -> BackgroundLog.log(WARNING, warning)))
                .then();
    }

    ClientThreads threads() {
        return threads;
    }

    ClientEngine engine() {
        return engine;
    }

    ClientSettings settings() {
        return settings;
    }

    /** Runs a program that stops between two operations when it is cancelled. */
    <R> Mono<R> run(String verb, LockName name, Supplier<Step<R>> program) {
        return run(task(verb, name), () -> program::get);
    }

    /** Runs a program to its end, also when it is cancelled. */
    <R> Mono<R> runToEnd(String verb, LockName name, Supplier<Step<R>> program) {
        return ProgramMono.toEnd(runner, task(verb, name), program);
    }

    /**
     * Runs a program that renews leases, stops when it is cancelled, and has a result or fails before the first of them
     * ends.
     */
    <R> Mono<R> renew(LockName name, Supplier<RenewalTime> time, Supplier<Step<R>> program) {
        return ProgramMono.delivered(runner, task("Renewing", name), renewal(time, program));
    }

    private <R> Supplier<CompensatedProgram<R>> renewal(Supplier<RenewalTime> time, Supplier<Step<R>> program) {
        return () -> {
            Optional<TimeBudget> limit =
                    Optional.of(TimeBudget.forRenewal(settings, time.get(), runner.slowestWrite()));
            return new CompensatedProgram<R>() {
                @Override
                public Step<R> start() {
                    return program.get();
                }

                @Override
                public Optional<TimeBudget> limit() {
                    return limit;
                }
            };
        };
    }

    <R> Mono<R> run(LockTask task, Supplier<CompensatedProgram<R>> programs) {
        return ProgramMono.delivered(runner, task, programs);
    }

    /** Returns a runner of programs without a subscriber. */
    private BackgroundRunner inBackground() {
        return new BackgroundRunner() {
            @Override
            public <R> CompletableFuture<R> run(String verb, LockName name, Supplier<Step<R>> program) {
                return start(threads.releases(), task(verb, name), () -> program::get);
            }

            @Override
            public <R> CompletableFuture<R> renew(
                    LockName name, Supplier<RenewalTime> time, Supplier<Step<R>> program) {
                return start(threads.renewals(), task("Renewing", name), renewal(time, program));
            }

            @Override
            public <R> CompletableFuture<R> renewAgain(
                    LockName name, Supplier<RenewalTime> time, Supplier<Step<R>> program) {
                return start(threads.renewalRetries(), task("Renewing", name), renewal(time, program));
            }
        };
    }

    private <R> CompletableFuture<R> start(GrowingLimit limit, LockTask task, Supplier<CompensatedProgram<R>> program) {
        return limit.start(() -> ProgramMono.inBackground(runner, task, program).toFuture());
    }

    /** Returns a session for a transaction of the user, whose timeout is determined when it begins. */
    TransactionSession openFor(LockTask task, Supplier<Duration> transactionTimeout) {
        return runner.openFor(task, transactionTimeout);
    }

    LockTask task(String verb, LockName name) {
        return LockTask.of(verb, name, settings);
    }

    LockTask task(String verb, List<LockName> names) {
        return LockTask.of(verb, names, settings);
    }

    /** Completes when no session is open. */
    CompletableFuture<Void> idle() {
        return runner.idle();
    }
}
