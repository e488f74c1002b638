package org.mongolocks.reactive;

import com.mongodb.reactivestreams.client.ClientSession;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.Lease;
import org.mongolocks.LockException;
import org.mongolocks.LossReason;
import org.mongolocks.internal.hold.GuardedTransaction;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.reactive.StepRunner.TransactionSession;
import org.mongolocks.spi.Step;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** A transaction that a lock guards, for one subscriber. */
final class GuardedTransactionRunner<R> {
    private final Sessions programs;
    private final LockTask task;
    private final GuardedTransaction transaction;
    private final Mono<LossReason> lost;
    private final Function<ClientSession, Mono<R>> work;
    private @Nullable TransactionSession session;
    private boolean ended;

    GuardedTransactionRunner(
            Sessions programs, Hold hold, ReactiveHeldLock handle, Function<ClientSession, Mono<R>> work) {
        this.programs = programs;
        this.task = programs.task("Guarding a transaction by", hold.lease().name());
        this.transaction = new GuardedTransaction(programs.settings(), hold, handle::isReleased);
        this.lost = handle.lossForWork();
        this.work = work;
    }

    /** The signal that nothing was written, and that the whole transaction may be retried. */
    private static final class RetryTransaction extends RuntimeException {
        private static final long serialVersionUID = 1L;

        RetryTransaction() {
            super(null, null, false, false);
        }
    }

    Mono<R> run() {
        return Mono.usingWhen(
                Mono.fromSupplier(transaction::pauseRenewals),
                quiet -> Mono.fromFuture(quiet, true)
                        .then(Mono.fromSupplier(() -> programs.openFor(task, transaction::limit)))
                        .doOnNext(this::own)
                        .flatMap(this::untilCommitted),
                quiet -> end());
    }

    /** After a cancellation this may take as long as the operation in flight. Renewals continue then. */
    private Mono<Void> end() {
        TransactionSession opened = takeSession();
        Mono<Void> closed = opened == null ? Mono.empty() : opened.close();
        return closed.doOnTerminate(transaction::resumeRenewals);
    }

    /** A session that opens when the run has ended, by a cancellation at that moment, is closed at once. */
    private void own(TransactionSession opened) {
        if (!keepSession(opened)) {
            Disposable unused = opened.close().subscribe();
        }
    }

    private synchronized boolean keepSession(TransactionSession opened) {
        session = opened;
        return !ended;
    }

    private synchronized @Nullable TransactionSession takeSession() {
        ended = true;
        return session;
    }

    private Mono<R> untilCommitted(TransactionSession opened) {
        return Mono.defer(() -> once(opened))
                .retryWhen(Retry.indefinitely().filter(RetryTransaction.class::isInstance));
    }

    private Mono<R> once(TransactionSession opened) {
        Supplier<Step<Lease>> open = transaction::startTransaction;
        Supplier<Step<Boolean>> commit = transaction::commit;
        return opened.run(task, open)
                .then(Mono.defer(() -> worked(opened)))
                .flatMap(result -> opened.run(task, commit)
                        .flatMap(committed ->
                                committed ? Mono.justOrEmpty(result) : Mono.<R>error(new RetryTransaction()))
                        .onErrorMap(
                                error -> !(error instanceof LockException) && !opened.isSessionOpen(),
                                error -> transaction.endedByWork()));
    }

    private Mono<Optional<R>> worked(TransactionSession opened) {
        return whileHeld(opened.session())
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .onErrorResume(error -> failed(opened, error))
                .filter(result -> opened.isTransactionOpen())
                .switchIfEmpty(Mono.error(transaction::endedByWork));
    }

    /** A loss cancels the work. */
    private Mono<R> whileHeld(ClientSession in) {
        Mono<R> broken = lost.flatMap(reason -> {
            transaction.requireNotLost(null);
            return Mono.empty();
        });
        return Mono.firstWithSignal(broken, work.apply(in));
    }

    /** Work that the driver refuses, because its client was replaced or closed, is reported as a fault. */
    private <T> Mono<T> failed(TransactionSession opened, Throwable error) {
        return opened.refusal(error)
                .<Throwable>map(refusal -> {
                    LockException unusable = task.exception(refusal);
                    unusable.addSuppressed(error);
                    return unusable;
                })
                .defaultIfEmpty(error)
                .flatMap(reported -> mayRepeat(opened, reported).flatMap(again -> {
                    if (again) {
                        return Mono.error(new RetryTransaction());
                    }
                    transaction.requireNotLost(reported);
                    return Mono.error(reported);
                }));
    }

    /** A fault after the failure of the work is not the one to report. */
    private Mono<Boolean> mayRepeat(TransactionSession opened, Throwable error) {
        Mono<Boolean> again = opened.isTransactionOpen()
                ? opened.run(task, () -> transaction.again(error))
                : Mono.error(transaction::endedByWork);
        return again.onErrorResume(RuntimeException.class, second -> {
            error.addSuppressed(second);
            return Mono.just(false);
        });
    }
}
