package org.mongolocks.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.mongolocks.LossListener;
import org.mongolocks.spi.Step;

/** Ends the waiting of a program when one of some locks is lost meanwhile. Thread-safe. */
final class Alarm {
    private final LossListener listener = (lease, reason) -> ring();
    private final List<Hold> holds = new ArrayList<>();
    private CompletableFuture<Void> bell = new CompletableFuture<>();
    private boolean rung;

    /** Has this alarm ring when the lock is lost. */
    void watch(Hold hold) {
        holds.add(hold);
        hold.onLostAtOnce(listener);
    }

    /** Watches nothing any more. */
    void rest() {
        holds.forEach(hold -> hold.forget(listener));
    }

    /**
     * Has a program end early, at a pause, when a lock is lost. What the program would have resulted in is given by
     * another then; an operation under way is awaited.
     */
    <R> Step<R> guard(Step<R> step, Supplier<Step<R>> otherwise) {
        if (step instanceof Step.Call<R> call) {
            return Step.call(call.op(), reply -> guard(call.then().apply(reply), otherwise));
        }
        if (step instanceof Step.Pause<R> pause) {
            return new Step.Pause<>(
                    pause.delay(),
                    Optional.of(next(pause.wakeUp())),
                    () -> hasRung() ? otherwise.get() : guard(pause.then().get(), otherwise));
        }
        return step;
    }

    private synchronized boolean hasRung() {
        return rung;
    }

    /** A new bell for each pause, so that nothing piles up on it. */
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

    private void ring() {
        CompletableFuture<Void> current;
        synchronized (this) {
            rung = true;
            current = bell;
        }
        current.complete(null);
    }
}
