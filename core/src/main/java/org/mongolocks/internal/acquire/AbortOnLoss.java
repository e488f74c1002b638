package org.mongolocks.internal.acquire;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.mongolocks.LockLostListener;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.spi.Step;

/** A signal that ends the pauses of a program when one of several held locks is lost. Thread-safe. */
final class AbortOnLoss {
    private final LockLostListener listener = (lease, reason) -> trigger();
    private final List<Hold> holds = new ArrayList<>();
    private CompletableFuture<Void> bell = new CompletableFuture<>();
    private boolean rung;

    /** Triggers this signal when the lock is lost. */
    void watch(Hold hold) {
        holds.add(hold);
        hold.onLostConcurrently(listener);
    }

    /** Stops watching all locks. */
    void close() {
        holds.forEach(hold -> hold.forget(listener));
    }

    /**
     * Makes a program end early, at a pause, when a lock is lost. Another program then supplies the result; an
     * operation in flight is awaited.
     */
    <R> Step<R> wrap(Step<R> step, Supplier<Step<R>> otherwise) {
        if (step instanceof Step.Call<R> call) {
            return Step.call(call.op(), reply -> wrap(call.then().apply(reply), otherwise));
        }
        if (step instanceof Step.Pause<R> pause) {
            return new Step.Pause<>(
                    pause.delay(),
                    Optional.of(next(pause.wakeUp())),
                    () -> isTriggered() ? otherwise.get() : wrap(pause.then().get(), otherwise));
        }
        return step;
    }

    private synchronized boolean isTriggered() {
        return rung;
    }

    /** Each pause gets a new future, so that callbacks do not accumulate on one. */
    private synchronized CompletableFuture<Void> next(Optional<CompletableFuture<Void>> signal) {
        CompletableFuture<Void> fresh = new CompletableFuture<>();
        bell = fresh;
        CompletableFuture<Void> unused =
                signal.map(wakeUp -> wakeUp.thenRun(() -> fresh.complete(null))).orElse(fresh);
        if (rung) {
            fresh.complete(null);
        }
        return fresh;
    }

    private void trigger() {
        CompletableFuture<Void> current;
        synchronized (this) {
            rung = true;
            current = bell;
        }
        current.complete(null);
    }
}
