package org.mongolocks.internal.hold;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientSettings;
import org.mongolocks.ClientSettings.Timer;
import org.mongolocks.internal.run.ClientRuns.BackgroundRunner;
import org.mongolocks.spi.Step;

/**
 * The releases that one client repeats because they got no reply: the caller that released a lock may have no handle of it
 * any more. Each is repeated with pauses as for renewals, until one is answered or the lease ends. Thread-safe.
 */
final class RepeatedReleases {
    /** If there are more, the server has been unreachable for long; they stay held until their ttl has passed. */
    private static final int MAX_LOCKS = 1_000;

    private final ClientSettings settings;
    private final Timer timer;
    private final BackgroundRunner background;
    private final Function<Hold, Step<Boolean>> program;
    private final Set<Hold> unanswered = new LinkedHashSet<>();
    private boolean ended;

    RepeatedReleases(
            ClientSettings settings, Timer timer, BackgroundRunner background, Function<Hold, Step<Boolean>> program) {
        this.settings = settings;
        this.timer = timer;
        this.background = background;
        this.program = program;
    }

    void add(Hold hold) {
        if (register(hold)) {
            new Repetition(hold).scheduleNext();
        }
    }

    /** Repeats nothing more, and returns the locks that are still held. */
    synchronized List<Hold> end() {
        ended = true;
        List<Hold> held = unanswered.stream().filter(Hold::needsReleaseAgain).toList();
        unanswered.clear();
        return held;
    }

    private synchronized boolean register(Hold hold) {
        return !ended && unanswered.size() < MAX_LOCKS && unanswered.add(hold);
    }

    /** Returns whether a lock is still to be released; otherwise forgets it. */
    private synchronized boolean isUnanswered(Hold hold) {
        if (!hold.needsReleaseAgain()) {
            unanswered.remove(hold);
        }
        return unanswered.contains(hold);
    }

    private final class Repetition {
        private final Hold hold;
        private int attempts;

        Repetition(Hold hold) {
            this.hold = hold;
        }

        void scheduleNext() {
            if (isUnanswered(hold)) {
                long pause = settings.holding().renewalBackoff().apply(++attempts);
                Timer.Timeout unused = timer.schedule(Duration.ofMillis(pause), this::run);
            }
        }

        private void run() {
            if (!isUnanswered(hold)) {
                return;
            }
            CompletableFuture<Boolean> release =
                    CompletableFuture.failedFuture(new IllegalStateException("The release could not begin"));
            try {
                release = background.run("Releasing", hold.lease().name(), () -> program.apply(hold));
            } finally {
                CompletableFuture<Void> unused = release.handle((released, error) -> {
                    ended(Boolean.TRUE.equals(released), error);
                    return null;
                });
            }
        }

        private void ended(boolean isReleased, @Nullable Throwable error) {
            try {
                if (error != null) {
                    hold.recordReleaseFailed();
                }
            } finally {
                hold.endReleaseAgain(isReleased);
                scheduleNext();
            }
        }
    }
}
