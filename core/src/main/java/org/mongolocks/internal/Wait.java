package org.mongolocks.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.mongolocks.Timer;
import org.mongolocks.spi.Step;

/**
 * Is how a runner waits out a pause.
 *
 * @param atMost how long to wait at most, in real time
 * @param signal ends it earlier when it completes, if there is one
 */
public record Wait(Duration atMost, Optional<CompletableFuture<Void>> signal) {
    /** Longer than any pause: the timer ends it. */
    private static final Duration BY_TIMER = Duration.ofDays(400);

    /**
     * Plans a pause.
     *
     * @param pause the pause
     * @param timer what ends it, if the user has a timer; otherwise real time does
     * @return how to wait
     */
    public static Wait of(Step.Pause<?> pause, Optional<Timer> timer) {
        return timer.map(by -> endedBy(by, pause)).orElseGet(() -> new Wait(pause.delay(), pause.wakeUp()));
    }

    private static Wait endedBy(Timer timer, Step.Pause<?> pause) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Timer.Timeout timeout = timer.schedule(pause.delay(), () -> end.complete(null));
        CompletableFuture<Void> either = pause.wakeUp()
                .map(signal -> signal.runAfterEither(end, timeout::cancel))
                .orElse(end);
        return new Wait(BY_TIMER, Optional.of(either));
    }
}
