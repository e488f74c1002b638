package org.mongolocks.internal.run;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.mongolocks.Timer;
import org.mongolocks.spi.Step;

/**
 * The form of a pause in a runner.
 *
 * @param atMost how long to wait at most, in real time
 * @param signal ends the wait earlier when it completes, if present
 */
public record PauseWait(Duration atMost, Optional<CompletableFuture<Void>> signal) {
    /** Longer than any pause: the timer ends it. */
    private static final Duration BY_TIMER = Duration.ofDays(400);

    /**
     * Returns the wait for a pause.
     *
     * @param pause the pause
     * @param timer the timer that ends it, if the user has set one; otherwise real time does
     * @return how to wait
     */
    public static PauseWait of(Step.Pause<?> pause, Optional<Timer> timer) {
        return timer.map(by -> endedBy(by, pause)).orElseGet(() -> new PauseWait(pause.delay(), pause.wakeUp()));
    }

    private static PauseWait endedBy(Timer timer, Step.Pause<?> pause) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Timer.Timeout timeout = timer.schedule(pause.delay(), () -> end.complete(null));
        CompletableFuture<Void> either = pause.wakeUp()
                .map(signal -> signal.runAfterEither(end, timeout::cancel))
                .orElse(end);
        return new PauseWait(BY_TIMER, Optional.of(either));
    }
}
