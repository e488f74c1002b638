package org.mongolocks.reactive;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import com.mongodb.reactivestreams.client.ClientSession;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.mongolocks.ClientClosedException;
import org.mongolocks.internal.run.BackgroundLog;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.CompensatedProgram;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.Run;
import org.mongolocks.internal.run.Run.Action;
import org.mongolocks.internal.run.Run.Action.Done;
import org.mongolocks.internal.run.Run.Action.End;
import org.mongolocks.internal.run.Run.Action.EndTransaction;
import org.mongolocks.internal.run.Run.Action.Pause;
import org.mongolocks.internal.run.Run.Action.Send;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.reactive.ProgramMono.Cancellation;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.util.concurrent.Queues;

/**
 * The loop that performs runs without blocking, each in a session of its own: it sends, waits, and reports to the
 * {@link Run}, which decides. Its stack does not grow with the length of a program.
 */
final class StepRunner {
    /** A program has one step in flight at a time. */
    private static final int FEW_STEPS = Queues.XS_BUFFER_SIZE;

    private final DriverSessions driver;
    private final ClientRuns runs;
    private final ClientThreads threads;

    StepRunner(DriverSessions driver, ClientRuns runs, ClientThreads threads) {
        this.driver = driver;
        this.runs = runs;
        this.threads = threads;
    }

    /**
     * Runs a program; emits the result unless the run is cancelled before. A result that is delivered on another thread
     * may be cancelled until it arrives there.
     */
    <R> Mono<R> run(LockTask task, boolean isDelivered, CompensatedProgram<R> program, Cancellation cancellation) {
        return Mono.defer(() -> {
            TimeBudget limit = program.limit().orElseGet(() -> TimeBudget.perCommand(runs.commandTimeout()));
            ReactivePort port = new ReactivePort(driver, runs, limit, task);
            Run<R> run = Run.of(runs, task, limit, program);
            runs.sessionOpened();
            Loop<R> loop = new Loop<>(port, threads, run);
            Mono<R> done = loop.result(cancellation);
            return (isDelivered ? threads.deliver(done) : done)
                    .flatMap(result ->
                            cancellation.deliver() ? Mono.just(result) : loop.abort(new CancellationException()))
                    .onErrorResume(error -> undelivered(task, cancellation, error))
                    .doOnTerminate(() -> end(loop));
        });
    }

    /** The error of a run that has no subscriber any more is logged; one is expected after the close of the client. */
    private static <R> Mono<R> undelivered(LockTask task, Cancellation cancellation, Throwable error) {
        if (cancellation.deliver()) {
            return Mono.error(error);
        }
        if (!(error instanceof CancellationException)) {
            boolean isExpected = error instanceof ClientClosedException && error.getSuppressed().length == 0;
            BackgroundLog.log(isExpected ? DEBUG : WARNING, task + " was cancelled and failed", error);
        }
        return Mono.empty();
    }

    /** Closes the session, once no compensation is pending. The result is not delayed by that. */
    private <R> void end(Loop<R> loop) {
        Action<R> next = loop.run().end();
        if (next instanceof End) {
            closed(loop.port());
        } else {
            Disposable unused = loop.performedToTheEnd(() -> next)
                    .doFinally(signal -> closed(loop.port()))
                    .subscribe();
        }
    }

    private void closed(ReactivePort port) {
        port.close();
        runs.sessionClosed();
    }

    /** Returns a session for a transaction of the user, whose timeout is determined when it begins. */
    TransactionSession openFor(LockTask task, Supplier<Duration> transactionTimeout) {
        TimeBudget limit = TimeBudget.forTransactions(runs.commandTimeout(), transactionTimeout);
        runs.sessionOpened();
        return new TransactionSession(new ReactivePort(driver, runs, limit, task), threads, runs::sessionClosed);
    }

    /** Returns the longest time that a write of the client took recently. */
    Duration slowestWrite() {
        return runs.slowestWrite();
    }

    /** Completes when no session is open. */
    CompletableFuture<Void> idle() {
        return runs.idle();
    }

    /** The performance of one run. */
    private record Loop<R>(ReactivePort port, ClientThreads threads, Run<R> run) {
        /** Emits the result. A cancellation, like an error of the program, aborts the run. */
        Mono<R> result(Cancellation cancellation) {
            return performed(run::start, cancellation)
                    .map(last -> ((Done<R>) last).result())
                    .onErrorResume(this::abort);
        }

        /** Fails with the cause, once everything that follows from it was tried. */
        Mono<R> abort(Throwable cause) {
            return performedToTheEnd(() -> run.abort(cause)).then(Mono.error(cause));
        }

        /** Performs what follows an event; an error of the program aborts the run, which then ends. */
        Mono<Action<R>> performedToTheEnd(Supplier<Action<R>> first) {
            return performed(first, new Cancellation(true))
                    .onErrorResume(error -> performedToTheEnd(() -> run.abort(error)));
        }

        private Mono<Action<R>> performed(Supplier<Action<R>> first, Cancellation cancellation) {
            return next(first)
                    .expand(action -> perform(action, cancellation), FEW_STEPS)
                    .last();
        }

        private static <R> Mono<Action<R>> next(Supplier<Action<R>> event) {
            return Mono.fromSupplier(() -> FatalErrors.call(event));
        }

        private Mono<Action<R>> perform(Action<R> action, Cancellation cancellation) {
            if (action instanceof EndTransaction) {
                return port.abort().then(next(run::resumed));
            }
            boolean isSend = action instanceof Send;
            if (!isSend && !(action instanceof Pause)) {
                return Mono.empty();
            }
            if (cancellation.stopsProgram()) {
                return Mono.error(new CancellationException());
            }
            return action instanceof Send<R> send
                    ? port.send(send.op()).map(reply -> FatalErrors.call(() -> run.answered(reply)))
                    : paused((Pause<R>) action, cancellation.signal())
                            .then(Mono.defer(() -> cancellation.stopsProgram()
                                    ? Mono.error(new CancellationException())
                                    : next(run::resumed)));
        }

        /** Whatever ends the pause, the program goes on on its own thread: what wakes it may be in use for other locks. */
        private Mono<Void> paused(Pause<R> pause, Mono<Void> cancelled) {
            Mono<Void> woken =
                    pause.wakeUp().map(signal -> Mono.fromFuture(signal, true)).orElse(Mono.never());
            return Mono.firstWithSignal(threads.pause(pause.delay()), woken, cancelled)
                    .publishOn(threads.programs());
        }
    }

    /**
     * A session that runs programs one after another, and keeps the transaction open between them. A program that has begun
     * runs to its end, also when its subscriber cancels. One subscriber at a time.
     */
    static final class TransactionSession {
        private final ReactivePort port;
        private final ClientThreads threads;
        private final Runnable ended;
        private volatile CompletableFuture<?> running = CompletableFuture.completedFuture(null);

        TransactionSession(ReactivePort port, ClientThreads threads, Runnable ended) {
            this.port = port;
            this.threads = threads;
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
                CompletableFuture<R> result = new Loop<>(port, threads, port.keepingTransaction(task, program))
                        .result(new Cancellation(true))
                        .toFuture();
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
