package org.mongolocks.reactive;

import com.mongodb.reactivestreams.client.ClientSession;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.spi.Step;
import reactor.core.publisher.Mono;

/**
 * A session that runs programs one after another, and keeps the transaction open between them. A program that has begun
 * runs to its end, also when its subscriber cancels. One subscriber at a time.
 */
final class TransactionSession {
    private final ClientSession session;
    private final ReactivePort port;
    private final Function<Step.Pause<?>, Mono<Void>> pauses;
    private final Runnable ended;
    private volatile CompletableFuture<?> running = CompletableFuture.completedFuture(null);

    TransactionSession(
            ClientSession session, ReactivePort port, Function<Step.Pause<?>, Mono<Void>> pauses, Runnable ended) {
        this.session = session;
        this.port = port;
        this.pauses = pauses;
        this.ended = ended;
    }

    ClientSession session() {
        return session;
    }

    /** Runs a program, and keeps the transaction that it has begun open unless it fails. */
    <R> Mono<R> run(LockTask task, Supplier<Step<R>> program) {
        return Mono.defer(() -> {
            CompletableFuture<R> result = steps(task, program).toFuture();
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
                    session.close();
                    ended.run();
                });
    }

    private <R> Mono<R> steps(LockTask task, Supplier<Step<R>> program) {
        return Mono.fromSupplier(program)
                .expand(this::next)
                .last()
                .flatMap(last -> last instanceof Step.Fail<R> fail
                        ? Mono.error(task.exception(fail.failure()))
                        : Mono.just(((Step.Done<R>) last).result()));
    }

    private <R> Mono<Step<R>> next(Step<R> step) {
        if (step instanceof Step.Call<R> call) {
            return port.send(call.op()).map(call.then());
        }
        if (step instanceof Step.Pause<R> pause) {
            return pauses.apply(pause).then(Mono.fromSupplier(pause.then()));
        }
        return Mono.empty();
    }
}
