package org.mongolocks.reactive;

import static java.lang.System.Logger.Level.WARNING;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.mongolocks.ClientSettings;
import org.mongolocks.LockName;
import org.mongolocks.internal.hold.HoldRegistry;
import org.mongolocks.internal.run.ClockSentinel;
import org.mongolocks.internal.run.CommandTracker;
import org.mongolocks.internal.run.ConnectionShortage;
import org.mongolocks.internal.run.LockExceptions;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.RunnerSettings;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.schema.ClientStartup;
import org.mongolocks.internal.wait.ChangeFeed;
import org.mongolocks.internal.wait.EventLag;
import org.mongolocks.internal.wait.WaiterQueues;
import org.mongolocks.spi.Step;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** A runner of the programs of one client, which starts a program for each subscriber. Thread-safe. */
final class Sessions {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final MongoClient mongo;
    private final StepRunner runner;
    private final ClientSettings settings;
    private final WaiterQueues room;
    private final ClockSentinel clocks;

    private Sessions(MongoClient mongo, StepRunner runner, Watching watching) {
        this.mongo = mongo;
        this.runner = runner;
        this.settings = watching.settings();
        this.room = watching.room();
        this.clocks = watching.clocks();
    }

    /** The observers of the runs of one client. */
    private record Watching(ClientSettings settings, WaiterQueues room, ClockSentinel clocks) {}

    /** Creates the runner of a client; nothing is sent yet. */
    static Sessions of(MongoDatabase database, MongoClient mongo, ClientSettings settings, Scheduler scheduler) {
        ConnectionShortage shortage = ConnectionShortage.of(mongo);
        ClockSentinel clocks = ClockSentinel.of(settings);
        EventLag lag = new EventLag(settings.time());
        RunnerSettings sending = RunnerSettings.of(settings, CommandTracker.of(shortage, clocks, lag));
        MongoDatabase durable = ReactivePort.durable(database, sending);
        StepRunner runner = new StepRunner(mongo, durable, sending, scheduler);
        ChangeFeed feed = ReactiveChangeFeed.of(database, durable, settings, scheduler);
        WaiterQueues room = new WaiterQueues(settings, feed, shortage, lag);
        return new Sessions(mongo, runner, new Watching(settings, room, clocks));
    }

    /** Checks the server, and creates or checks the client's collections. */
    Mono<Void> prepare() {
        LockTask task = LockExceptions.task("Preparing a client", settings);
        return this.<List<String>>run(task, () -> () -> new ClientStartup(settings).start())
                .doOnNext(warnings -> warnings.forEach(warning -> LOG.log(WARNING, warning)))
                .then();
    }

    /** Renews all kept-alive locks when an event on the server may have ended them. */
    void watch(HoldRegistry holds) {
        holds.watchPrimary(mongo::getClusterDescription);
        room.whenCollectionEnds(holds::renewSoon);
    }

    ClockSentinel clocks() {
        return clocks;
    }

    WaiterQueues room() {
        return room;
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
        return run(task(verb, name), () -> new SubscriberProgram<>() {
            @Override
            public Step<R> start() {
                return program.get();
            }

            @Override
            public boolean stopsWhenCancelled() {
                return false;
            }
        });
    }

    /** Runs a program that stops when it is cancelled, and has a result or fails within that time. */
    <R> Mono<R> runWithin(Supplier<Duration> time, LockTask task, Supplier<Step<R>> program) {
        return run(task, () -> {
            Optional<TimeBudget> limit = Optional.of(TimeBudget.within(settings, time.get()));
            return new SubscriberProgram<R>() {
                @Override
                public Step<R> start() {
                    return program.get();
                }

                @Override
                public Optional<TimeBudget> limit() {
                    return limit;
                }
            };
        });
    }

    <R> Mono<R> run(LockTask task, Supplier<SubscriberProgram<R>> jobs) {
        return new ProgramMono<>(runner, task, jobs);
    }

    /** Opens a session for a transaction of the user, whose timeout is determined when it begins. */
    Mono<TransactionSession> openFor(Supplier<Duration> transactionTimeout) {
        return runner.openFor(transactionTimeout);
    }

    LockTask task(String verb, LockName name) {
        return LockExceptions.task(verb, name, settings);
    }

    LockTask task(String verb, List<LockName> names) {
        return LockExceptions.task(verb, names, settings);
    }

    /** Completes when no session is open. */
    Mono<Void> idle() {
        return Mono.fromFuture(runner::idle, true);
    }
}
