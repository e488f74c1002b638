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
import org.mongolocks.internal.hold.HoldRegistry;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.run.ClockSentinel;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.RenewalTime;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.wait.EventLag;
import org.mongolocks.internal.wait.WaiterQueues;
import org.mongolocks.spi.Step;

/** A runner of the programs of one client on the calling thread, each in a session of its own. Thread-safe. */
final class Sessions {
    private final MongoClient mongo;
    private final MongoDatabase database;
    private final ClientSettings settings;
    private final ClientRuns runs;
    private final WaiterQueues queues;
    private final ClockSentinel clocks;

    Sessions(MongoClient mongo, String database, ClientSettings settings) {
        this.mongo = mongo;
        ConnectionShortage shortage = ConnectionShortage.of(mongo);
        EventLag lag = new EventLag(settings.time());
        this.clocks = ClockSentinel.of(settings);
        this.runs = ClientRuns.of(settings, shortage, clocks, lag);
        MongoDatabase plain = mongo.getDatabase(database);
        this.database = SyncPort.durable(plain, runs);
        this.settings = settings;
        this.queues = new WaiterQueues(settings, SyncChangeFeed.of(plain, this.database, settings), shortage, lag);
    }

    ClientSettings settings() {
        return settings;
    }

    <R> R run(String verb, LockName name, Supplier<Step<R>> program) throws InterruptedException {
        try (StepRunner runner = open()) {
            return runner.run(task(verb, name), program);
        }
    }

    /** Runs a program that renews leases, and has a result or fails before the first of them ends. */
    <R> R renew(LockName name, RenewalTime time, Supplier<Step<R>> program) throws InterruptedException {
        Duration slowest = runs.slowestWrite();
        try (StepRunner runner = open(TimeBudget.forRenewal(settings, time, slowest))) {
            return runner.run(task("Renewing", name), program);
        }
    }

    <R> R run(String what, Supplier<Step<R>> program) throws InterruptedException {
        try (StepRunner runner = open()) {
            return runner.run(LockTask.of(what, settings), program);
        }
    }

    <R> R runUninterruptibly(String verb, LockName name, Supplier<Step<R>> program) {
        try (StepRunner runner = open()) {
            return runner.runUninterruptibly(task(verb, name), program);
        }
    }

    StepRunner open() {
        return open(Optional.empty());
    }

    /** Opens a session with a limit for its commands, or with the client's own. */
    StepRunner open(Optional<TimeBudget> limit) {
        return open(limit.orElseGet(() -> TimeBudget.perCommand(settings.commandTimeout())));
    }

    /** Opens a session for a transaction of the user, whose timeout is determined when it begins. */
    StepRunner openFor(Supplier<Duration> transactionTimeout) {
        return open(TimeBudget.forTransactions(settings.commandTimeout(), transactionTimeout));
    }

    private StepRunner open(TimeBudget limit) {
        ClientSession session = mongo.startSession(StepRunner.SESSION);
        runs.sessionOpened();
        return new StepRunner(session, new SyncPort(mongo, database, runs, session, limit), runs, runs::sessionClosed);
    }

    WaiterQueues waiterQueues() {
        return queues;
    }

    /** Renews all kept-alive locks when an event on the server may have ended them. */
    void watch(HoldRegistry holds) {
        holds.watchPrimary(mongo::getClusterDescription);
        holds.wakingWaiters(queues::notifyingWaiters);
        queues.whenCollectionEnds(holds::renewSoon);
    }

    ClockSentinel clocks() {
        return clocks;
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
