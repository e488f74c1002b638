package org.mongolocks.reactive;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.mongolocks.LockName;
import org.mongolocks.Timer;
import org.mongolocks.internal.run.BackgroundRunner;
import org.mongolocks.internal.run.CoalescingTimer;
import org.mongolocks.spi.Step;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The background tasks of one client, without a subscriber, on schedulers that others own: it has no thread. */
final class ClientSchedulers implements BackgroundRunner {
    private final Sessions programs;
    private final Scheduler scheduler;

    ClientSchedulers(Sessions programs, Scheduler scheduler) {
        this.programs = programs;
        this.scheduler = scheduler;
    }

    /** Returns a timer that wakes its scheduler only for tasks that become due. */
    Timer timer() {
        return new CoalescingTimer(this::later, programs.settings().time());
    }

    /** When its scheduler is disposed, nothing is due any more. */
    private Timer.Timeout later(Duration delay, Runnable task) {
        try {
            Disposable later = scheduler.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            return later::dispose;
        } catch (RejectedExecutionException e) {
            return () -> {};
        }
    }

    /** A listener may block. */
    Executor listeners() {
        return task -> Schedulers.boundedElastic().schedule(task);
    }

    @Override
    public <R> CompletableFuture<R> run(String verb, LockName name, Supplier<Step<R>> program) {
        return programs.run(verb, name, program).toFuture();
    }
}
