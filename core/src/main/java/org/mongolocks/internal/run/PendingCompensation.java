package org.mongolocks.internal.run;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.internal.base.Durations;
import org.mongolocks.internal.run.ClientRuns.CompensatedProgram;
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
     * The pause before the next attempt.
     *
     * @param closed completes when the client is closed, which ends the pause; must be closed at its end
     */
    public record PauseBetween(Duration delay, CloseSignal closed) {}

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

    /**
     * Returns a program of one attempt. It ends with the pause before the next, or empty if the server has replied; it
     * fails if it got no reply and is the last attempt.
     */
    public Step<Optional<PauseBetween>> attempt() {
        return acquisition.compensate().then(released -> Step.done(Optional.empty()), this::pauseAfter);
    }

    /**
     * Returns the program of all attempts, for a runner that a pause does not block. It fails as the last attempt
     * does.
     */
    public Step<Boolean> repeated() {
        return attempt().andThen(pause -> pause.map(this::repeatedAfter).orElseGet(() -> Step.done(true)));
    }

    private Step<Boolean> repeatedAfter(PauseBetween pause) {
        return new Step.Pause<>(pause.delay(), Optional.of(pause.closed().future()), () -> {
            pause.closed().close();
            return repeated();
        });
    }

    private Step<Optional<PauseBetween>> pauseAfter(Reply.Failed failure) {
        Duration left = Duration.ofNanos(
                closeSignals.earlier(endNanos) - settings.time().nanoTime());
        boolean isFinal = FaultRetry.isFinal(failure.fault()) && !ClientRuns.isDriverClosed(failure);
        boolean isLast = left.isNegative() || left.isZero() || isFinal;
        Optional<CloseSignal> closed = isLast ? Optional.empty() : closeSignals.signal();
        if (closed.isEmpty()) {
            return new Step.Fail<>(failure);
        }
        Duration pause = Duration.ofMillis(settings.holding().renewalBackoff().apply(++attempts));
        return Step.done(closed.map(signal -> new PauseBetween(Durations.shorter(pause, left), signal)));
    }
}
