package org.mongolocks.internal.acquire;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.mongolocks.ClientSettings;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.run.TimeBudget.FaultRetry;
import org.mongolocks.internal.wait.WaiterQueues;
import org.mongolocks.internal.wait.WaiterQueues.CloseSignal;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * The compensation of an acquisition whose caller waits no longer. It is repeated, with pauses as for renewals, until the
 * server answers it or every lease that may have been granted has ended: one lease after it began. When the client is
 * closed it is tried once more. One object serves one acquisition.
 */
final class PendingCompensation {
    private final ClientSettings settings;
    private final Supplier<Step<Boolean>> compensation;
    private final CloseSignal closed;
    private final long endNanos;
    private int attempts;

    private PendingCompensation(
            ClientSettings settings, WaiterQueues queues, Duration ttl, Supplier<Step<Boolean>> compensation) {
        this.settings = settings;
        this.compensation = compensation;
        this.closed = queues.closeSignal();
        this.endNanos = settings.time().nanoTime() + ttl.toNanos();
    }

    /**
     * Returns what makes the program.
     *
     * @param budget the limit of the acquisition, which the program may exceed
     * @param ttl the time after which every lease has ended
     * @param compensation returns a program that fails when the server gives no reply
     */
    static Supplier<Step<Boolean>> of(
            ClientSettings settings,
            WaiterQueues queues,
            TimeBudget budget,
            Duration ttl,
            Supplier<Step<Boolean>> compensation) {
        return () -> {
            budget.stopRejecting();
            return new PendingCompensation(settings, queues, ttl, compensation).start();
        };
    }

    private Step<Boolean> start() {
        return attempt().then(wasHeld -> end(Step.done(wasHeld)), lost -> end(new Step.Fail<>(lost)));
    }

    private Step<Boolean> attempt() {
        boolean isLast = closed.future().isDone() || left().isZero();
        return compensation.get().then(Step::done, failure -> isLast ? new Step.Fail<>(failure) : repeatAfter(failure));
    }

    private Step<Boolean> repeatAfter(Reply.Failed failure) {
        if (FaultRetry.isFinal(failure.fault())) {
            return new Step.Fail<>(failure);
        }
        Duration pause = Duration.ofMillis(settings.holding().renewalBackoff().apply(++attempts));
        Duration atMost = pause.compareTo(left()) < 0 ? pause : left();
        return new Step.Pause<>(atMost, Optional.of(closed.future()), this::attempt);
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(0, endNanos - settings.time().nanoTime()));
    }

    private Step<Boolean> end(Step<Boolean> last) {
        closed.close();
        return last;
    }
}
