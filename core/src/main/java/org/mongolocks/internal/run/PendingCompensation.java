package org.mongolocks.internal.run;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.internal.base.Durations;
import org.mongolocks.internal.run.CloseSignals.CloseSignal;
import org.mongolocks.internal.run.TimeBudget.FaultRetry;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * The compensation of an acquisition whose caller waits no longer. It is repeated, with pauses as for renewals, until the
 * server answers it, every lease that may have been granted has ended, which is one lease after this was created, or the
 * time for closing the client is over. An attempt that fails while too many others pause is the last one. One object
 * serves one acquisition.
 */
public final class PendingCompensation {
    private final ClientSettings settings;
    private final CloseSignals closeSignals;
    private final CompensatedProgram<?> acquisition;
    private final long endNanos;
    private int attempts;

    /**
     * Creates the compensation of an acquisition that has ended, whose limit it may exceed from now on. The longest
     * lease is counted from now.
     */
    public PendingCompensation(
            ClientSettings settings, CloseSignals closeSignals, Duration ttl, CompensatedProgram<?> acquisition) {
        this.settings = settings;
        this.closeSignals = closeSignals;
        this.acquisition = acquisition;
        this.endNanos = settings.time().nanoTime() + ttl.toNanos();
        acquisition.limit().ifPresent(TimeBudget::stopRejecting);
    }

    /** Returns the program of all attempts. It fails as the last of them does. */
    public Step<Boolean> repeated() {
        return acquisition.compensate().then(Step::done, this::repeatedAfter);
    }

    private Step<Boolean> repeatedAfter(Reply.Failed failure) {
        Duration left = Duration.ofNanos(
                closeSignals.earlier(endNanos) - settings.time().nanoTime());
        boolean isFinal = FaultRetry.isFinal(failure.fault()) && !ClientRuns.isDriverClosed(failure);
        boolean isLast = left.isNegative() || left.isZero() || isFinal;
        Optional<CloseSignal> closed = isLast ? Optional.empty() : closeSignals.signal();
        if (closed.isEmpty()) {
            return new Step.Fail<>(failure);
        }
        Duration pause = Duration.ofMillis(settings.holding().renewalBackoff().apply(++attempts));
        return new Step.Pause<>(Durations.shorter(pause, left), closed.map(CloseSignal::future), () -> {
            closed.get().close();
            return repeated();
        });
    }
}
