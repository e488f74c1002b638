package org.mongolocks.reactive;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import org.mongolocks.HolderInfo;
import org.mongolocks.LockLostException;
import org.mongolocks.internal.base.FreshIds;
import org.mongolocks.internal.run.DaemonThreads;
import org.mongolocks.internal.run.GrowingLimit;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.time.Timer;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The threads of one client. Its timer and the few threads that continue programs after a pause never call the
 * subscribers; the threads for callbacks do, and cancel their work. Any number of them may block without a delay of
 * renewals, losses and other callbacks.
 */
final class ClientThreads {
    private static final int MAX_PROGRAMS = 4;
    /** Releases when the client is closed, of forgotten handles, and those that are repeated. */
    private static final int MAX_RELEASES = 32;

    private final DaemonThreads threads;
    private final Timer pauses;
    private final Scheduler programs;
    private final Scheduler delivery;
    private final GrowingLimit renewals;
    private final GrowingLimit renewalRetries;
    private final GrowingLimit releases;

    /** Creates the threads of a lock client; none is started yet. */
    ClientThreads(ClientSettings settings) {
        this.threads = new DaemonThreads(settings.instance());
        this.pauses = settings.holding().timer().orElseGet(threads::timer);
        this.delivery = Schedulers.fromExecutor(this::runOrHandOver);
        this.renewals = threads.growingLimit();
        this.renewalRetries = threads.growingLimit();
        this.releases = threads.limit(MAX_RELEASES);
        this.programs = Schedulers.fromExecutor(threads.pool("program", MAX_PROGRAMS, new LinkedBlockingQueue<>()));
    }

    /** Returns the timer for leases, renewals and pauses. */
    Timer timer() {
        return pauses;
    }

    Timer realTime() {
        return threads.timer();
    }

    /** Completes after that time, on the thread of the timer. */
    Mono<Void> pause(Duration length) {
        return after(length, pauses);
    }

    private static Mono<Void> after(Duration length, Timer timer) {
        return Mono.create(sink -> sink.onDispose(timer.schedule(length, sink::success)::cancel));
    }

    /** Continues programs, which never block. */
    Scheduler programs() {
        return programs;
    }

    /** Returns the limit for first tries of renewals, so that the user's commands get connections too. */
    GrowingLimit renewals() {
        return renewals;
    }

    /** Returns the limit for further tries: a lock whose renewals keep hanging delays no other. */
    GrowingLimit renewalRetries() {
        return renewalRetries;
    }

    /** Returns the limit for releases without a subscriber. */
    GrowingLimit releases() {
        return releases;
    }

    /** Returns the executor of the listeners of the user. */
    Executor listeners(ClientSettings settings) {
        return threads.listeners(settings.holding().listeners());
    }

    /** Calls subscribers, and cancels their work. */
    Executor callbacks() {
        return threads.callbacks();
    }

    /** Reads, once for each process, what every acquisition needs of the system: on a thread that may block. */
    static <R> Mono<R> afterPreparation(Mono<R> result) {
        return Mono.defer(() -> FreshIds.isPrepared()
                ? result
                : Mono.fromRunnable(() -> {
                            HolderInfo unused = HolderInfo.ofThisThread();
                            FreshIds.prepare();
                        })
                        .subscribeOn(Schedulers.boundedElastic())
                        .then(result));
    }

    /** Delivers the result to a subscriber, which may block, and not on a thread on which programs depend. */
    <R> Mono<R> deliver(Mono<R> result) {
        return result.publishOn(delivery);
    }

    /** Delivers a loss to the subscriber, not on a thread of the driver, whose renewals it could delay. */
    <R> Mono<R> deliverLoss(Mono<R> result) {
        return result.onErrorResume(
                LockLostException.class,
                lost -> Mono.<R>error(lost).subscribeOn(Schedulers.fromExecutor(threads.callbacks())));
    }

    /** Ends each thread as soon as it is idle. */
    void endWhenIdle() {
        threads.endWhenIdle();
    }

    /** Runs a task on the calling thread unless that is a thread of this client. */
    private void runOrHandOver(Runnable task) {
        if (threads.isCurrentThread()) {
            threads.callbacks().execute(task);
        } else {
            task.run();
        }
    }
}
