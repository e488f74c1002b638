package org.mongolocks.reactive;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import com.mongodb.reactivestreams.client.ClientSession;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.mongolocks.ClientClosedException;
import org.mongolocks.internal.run.BackgroundLog;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.CompensatedProgram;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.PendingCompensation;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.reactive.ProgramMono.Cancellation;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import reactor.core.publisher.Mono;
import reactor.util.concurrent.Queues;

/**
 * A non-blocking runner of programs, each in one session: once the release that compensates an acquisition is answered,
 * the server refuses any late command of that acquisition. Its stack does not grow with the length of a program.
 */
final class StepRunner {
    /** A program has one step in flight at a time. */
    private static final int FEW_STEPS = Queues.XS_BUFFER_SIZE;

    private final DriverSessions driver;
    private final ClientRuns runs;
    private final ClientThreads threads;

    /** What sends the operations of a program. */
    interface Port {
        /** Executes an operation; a fault of the server or of the connection is a reply, never an error. */
        Mono<Reply> send(MongoOp op);

        /** Returns the pause, or a longer one while the server is overloaded. */
        <R> Step.Pause<R> paced(Step.Pause<R> pause);
    }

    StepRunner(DriverSessions driver, ClientRuns runs, ClientThreads threads) {
        this.driver = driver;
        this.runs = runs;
        this.threads = threads;
    }

    /**
     * Runs a job; emits the result unless the run is cancelled before. A result that is delivered on another thread may
     * be cancelled until it arrives there.
     */
    <R> Mono<R> run(LockTask task, boolean isDelivered, CompensatedProgram<R> job, Cancellation cancellation) {
        return Mono.defer(() -> {
            runs.sessionOpened();
            Mono<R> done = inSession(task, job, cancellation, Run::start);
            return (isDelivered ? threads.deliver(done) : done)
                    .flatMap(result -> cancellation.deliver()
                            ? Mono.just(result)
                            : inSession(task, job, cancellation, Run::discard))
                    .doOnTerminate(() -> {
                        job.close();
                        runs.sessionClosed();
                    });
        });
    }

    /** Returns a session for a transaction of the user, whose timeout is determined when it begins. */
    TransactionSession openFor(LockTask task, Supplier<Duration> transactionTimeout) {
        TimeBudget limit = TimeBudget.forTransactions(runs.commandTimeout(), transactionTimeout);
        runs.sessionOpened();
        return new TransactionSession(
                new ReactivePort(driver, runs, limit, task), pause -> pause(pause, Mono.never()), runs::sessionClosed);
    }

    private <R> Mono<R> inSession(
            LockTask task, CompensatedProgram<R> job, Cancellation cancellation, Function<Run<R>, Mono<R>> program) {
        return Mono.defer(() -> {
            Run<R> run = new Run<>(task, job, cancellation);
            return program.apply(run).doOnTerminate(run::end);
        });
    }

    /** Returns the longest time that a write of the client took recently. */
    Duration slowestWrite() {
        return runs.slowestWrite();
    }

    /** Completes when no session is open. */
    CompletableFuture<Void> idle() {
        return runs.idle();
    }

    private Mono<Void> pause(Step.Pause<?> pause, Mono<Void> cancelled) {
        return pause(threads, pause, cancelled);
    }

    /** Whatever ends the pause, the program goes on on its own thread: what wakes it may be in use for other locks. */
    static Mono<Void> pause(ClientThreads threads, Step.Pause<?> pause, Mono<Void> cancelled) {
        Mono<Void> woken =
                pause.wakeUp().map(signal -> Mono.fromFuture(signal, true)).orElse(Mono.never());
        return Mono.firstWithSignal(threads.pause(pause.delay()), woken, cancelled)
                .publishOn(threads.programs());
    }

    private static <T> Mono<Step<T>> send(Port port, Step.Call<T> call) {
        return port.send(call.op())
                .map(reply -> FatalErrors.call(() -> call.then().apply(reply)));
    }

    private static <T> Mono<T> from(Supplier<T> program) {
        return Mono.fromSupplier(() -> FatalErrors.call(program));
    }

    /** Runs a program by a port, in whatever session that uses. A cancellation ends it. */
    static <R> Mono<R> steps(
            Port port, Function<Step.Pause<?>, Mono<Void>> pauses, LockTask task, Supplier<Step<R>> program) {
        return from(program)
                .expand(step -> next(port, pauses, step))
                .last()
                .flatMap(last -> last instanceof Step.Fail<R> fail
                        ? Mono.error(task.exception(fail.failure()))
                        : Mono.just(((Step.Done<R>) last).result()));
    }

    private static <R> Mono<Step<R>> next(Port port, Function<Step.Pause<?>, Mono<Void>> pauses, Step<R> step) {
        if (step instanceof Step.Call<R> call) {
            return send(port, call);
        }
        if (step instanceof Step.Pause<R> known) {
            Step.Pause<R> pause = port.paced(known);
            return pauses.apply(pause).then(from(pause.then()));
        }
        return Mono.empty();
    }

    private final class Run<R> {
        private final ReactivePort port;
        private final LockTask task;
        private final CompensatedProgram<R> job;
        private final Cancellation cancellation;

        Run(LockTask task, CompensatedProgram<R> job, Cancellation cancellation) {
            TimeBudget limit = job.limit().orElseGet(() -> TimeBudget.perCommand(runs.commandTimeout()));
            this.port = new ReactivePort(driver, runs, limit, task);
            this.task = task;
            this.job = job;
            this.cancellation = cancellation;
        }

        Mono<R> start() {
            return from(job::start)
                    .expand(this::next, FEW_STEPS)
                    .last()
                    .flatMap(last -> port.abort().then(Mono.defer(() -> conclude(last))))
                    .onErrorResume(error -> compensateAfter(error).then(fail(error)));
        }

        private Mono<Step<R>> next(Step<R> step) {
            return cancellation.stopsProgram() ? Mono.empty() : advance(step, cancellation);
        }

        private Mono<R> conclude(Step<R> last) {
            if (last instanceof Step.Done<R> done && !cancellation.isCancelled()) {
                return Mono.just(done.result());
            }
            if (last instanceof Step.Fail<R> fail) {
                return Mono.error(task.exception(fail.failure()));
            }
            return discard();
        }

        /** Compensates a run whose subscriber has cancelled. */
        Mono<R> discard() {
            return compensate().then(Mono.empty());
        }

        private Mono<R> fail(Throwable error) {
            return Mono.defer(() -> {
                if (cancellation.deliver()) {
                    return Mono.error(error);
                }
                BackgroundLog.log(level(error), task + " was cancelled and failed", error);
                return Mono.empty();
            });
        }

        /** A failure is expected after a cancellation and the close of the client. */
        private static Level level(Throwable error) {
            boolean isExpected = error instanceof ClientClosedException && error.getSuppressed().length == 0;
            return isExpected ? DEBUG : WARNING;
        }

        /** The first error is the one to report. */
        private Mono<Void> compensateAfter(Throwable error) {
            return compensate().onErrorResume(second -> Mono.fromRunnable(() -> error.addSuppressed(second)));
        }

        private Mono<Void> compensate() {
            Mono<Step<Boolean>> release = Mono.defer(
                    () -> job.needsCompensation() ? from(job::compensate).flatMap(this::release) : Mono.empty());
            return port.abort().then(release).then();
        }

        private Mono<Step<Boolean>> release(Step<Boolean> first) {
            Cancellation never = new Cancellation(true);
            return Mono.just(first)
                    .expand(step -> advance(step, never), FEW_STEPS)
                    .last();
        }

        /** Closes the session, once no compensation is pending. The result is not delayed by that. */
        void end() {
            Optional<PendingCompensation> pending = job.pendingCompensation();
            if (pending.isEmpty()) {
                port.close();
                return;
            }
            runs.sessionOpened();
            from(pending.get()::repeated)
                    .flatMap(this::release)
                    .doOnNext(this::warnUnlessDone)
                    .doFinally(signal -> {
                        port.close();
                        runs.sessionClosed();
                    })
                    .subscribe(
                            last -> {}, error -> BackgroundLog.log(WARNING, task + " could not be compensated", error));
        }

        private void warnUnlessDone(Step<Boolean> last) {
            if (last instanceof Step.Fail<Boolean> fail) {
                String message =
                        task + " got no reply; a lock that may have been acquired stays held until its ttl has passed";
                BackgroundLog.log(WARNING, message, fail.failure().cause());
            }
        }

        private <T> Mono<Step<T>> advance(Step<T> step, Cancellation by) {
            if (step instanceof Step.Call<T> call) {
                return send(port, call);
            }
            if (step instanceof Step.Pause<T> known) {
                Step.Pause<T> pause = port.paced(known);
                return pause(pause, by.signal())
                        .then(Mono.defer(() -> by.stopsProgram() ? Mono.empty() : from(pause.then())));
            }
            return Mono.empty();
        }
    }

    /**
     * A session that runs programs one after another, and keeps the transaction open between them. A program that has begun
     * runs to its end, also when its subscriber cancels. One subscriber at a time.
     */
    static final class TransactionSession {
        private final ReactivePort port;
        private final Function<Step.Pause<?>, Mono<Void>> pauses;
        private final Runnable ended;
        private volatile CompletableFuture<?> running = CompletableFuture.completedFuture(null);

        TransactionSession(ReactivePort port, Function<Step.Pause<?>, Mono<Void>> pauses, Runnable ended) {
            this.port = port;
            this.pauses = pauses;
            this.ended = ended;
        }

        ClientSession session() {
            return port.session();
        }

        /** Emits what it means that the work in the session failed, if the driver's client was replaced or closed. */
        Mono<Reply.Failed> refusal(Throwable failure) {
            return port.refusal(failure);
        }

        /** Returns whether the transaction that a program has begun is open. */
        boolean isTransactionOpen() {
            return port.isTransactionOpen();
        }

        /** Returns whether the session is open: the user's code has not closed it. */
        boolean isSessionOpen() {
            return port.isSessionOpen();
        }

        /** Runs a program, and keeps the transaction that it has begun open unless it fails. */
        <R> Mono<R> run(LockTask task, Supplier<Step<R>> program) {
            return Mono.defer(() -> {
                CompletableFuture<R> result = steps(port, pauses, task, program).toFuture();
                running = result;
                return Mono.fromFuture(result, true);
            });
        }

        /** Waits for the program that is running, aborts the transaction if one is open, and closes the session. */
        Mono<Void> close() {
            return Mono.defer(() -> Mono.fromFuture(running, true))
                    .then()
                    .onErrorComplete()
                    .then(port.abort())
                    .doOnTerminate(() -> {
                        port.close();
                        ended.run();
                    });
        }
    }
}
