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
    private CompletableFuture<Void> currentPause = new CompletableFuture<>();
    private boolean triggered;

    /** Triggers this signal when the lock is lost. */
    void watch(Hold hold) {
        holds.add(hold);
        hold.signalLoss(listener);
    }

    /** Stops watching all locks. */
    void close() {
        holds.forEach(hold -> hold.removeSignal(listener));
    }

    /**
     * Makes a program end early, at a pause, when a lock is lost. Another program then supplies the result; an
     * operation in flight is awaited.
     */
    <R> Step<R> wrap(Step<R> step, Supplier<Step<R>> otherwise) {
        if (step instanceof Step.Pause<R> pause) {
            return new Step.Pause<>(
                    pause.delay(),
                    Optional.of(endOf(pause)),
                    () -> isTriggered() ? otherwise.get() : wrap(pause.then().get(), otherwise));
        }
        return step.intercept(following -> wrap(following, otherwise));
    }

    private synchronized boolean isTriggered() {
        return triggered;
    }

    /** Each pause gets a new future, so that callbacks do not accumulate on one. */
    private synchronized CompletableFuture<Void> endOf(Step.Pause<?> pause) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        currentPause = end;
        CompletableFuture<Void> unused = pause.wakeUp()
                .map(signal -> signal.thenRun(() -> end.complete(null)))
                .orElse(end);
        if (triggered) {
            end.complete(null);
        }
        return end;
    }

    private void trigger() {
        CompletableFuture<Void> pause;
        synchronized (this) {
            triggered = true;
            pause = currentPause;
        }
        pause.complete(null);
    }
}
