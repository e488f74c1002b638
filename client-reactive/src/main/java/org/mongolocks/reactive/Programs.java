package org.mongolocks.reactive;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.mongolocks.ClientSettings;
import org.mongolocks.LockName;
import org.mongolocks.internal.Failures;
import org.mongolocks.internal.WaitingRoom;
import org.mongolocks.spi.Step;
import reactor.core.publisher.Mono;

/** Runs the programs of one client, each for each subscriber anew. Thread-safe. */
final class Programs {
    private final StepRunner runner;
    private final ClientSettings settings;
    private final WaitingRoom room;

    Programs(StepRunner runner, ClientSettings settings, WaitingRoom room) {
        this.runner = runner;
        this.settings = settings;
        this.room = room;
    }

    WaitingRoom room() {
        return room;
    }

    ClientSettings settings() {
        return settings;
    }

    /** Runs a program that stops between two operations when it is cancelled. */
    <R> Mono<R> run(String verb, LockName name, Supplier<Step<R>> program) {
        return run(task(verb, name), () -> program::get);
    }

    /** Runs a program that goes on to its end, also when it is cancelled. */
    <R> Mono<R> runToEnd(String verb, LockName name, Supplier<Step<R>> program) {
        return run(task(verb, name), () -> new Job<>() {
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

    <R> Mono<R> run(String task, Supplier<Job<R>> jobs) {
        return new JobMono<>(runner, task, jobs);
    }

    /** Opens a session for a transaction of the user, which may take as long as is given when it begins. */
    Mono<OpenSession> openFor(Supplier<Duration> transactionTimeout) {
        return runner.openFor(transactionTimeout);
    }

    String task(String verb, LockName name) {
        return Failures.task(verb, name, settings);
    }

    String task(String verb, List<LockName> names) {
        return Failures.task(verb, names, settings);
    }

    /** Completes when no session is open. */
    Mono<Void> idle() {
        return Mono.fromFuture(runner::idle, true);
    }
}
