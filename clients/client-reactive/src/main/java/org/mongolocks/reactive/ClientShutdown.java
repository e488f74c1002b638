package org.mongolocks.reactive;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.mongolocks.internal.run.BackgroundLog;
import org.mongolocks.time.Timer;
import reactor.core.publisher.Mono;

/** The shutdown of a client, within the time of its settings. A subscriber that cancels ends its wait only. */
record ClientShutdown(Sessions programs) {

    /**
     * Waits until no lock is held, at most that long, and closes then, which cancels the work that is left. It begins with
     * the subscription, and never fails.
     */
    Mono<Void> close(Duration drain) {
        String late =
                "Locks are held after the time for draining a lock client: their work, if they guard any, is cancelled";
        return programs.threads()
                .deliver(Mono.fromFuture(
                        () -> within(drain, programs.engine()::drain, () -> late)
                                .thenComposeAsync(
                                        done -> closing(), programs.threads().callbacks()),
                        true));
    }

    private CompletableFuture<Void> closing() {
        Duration limit = programs.settings().holding().closeTimeout();
        return within(limit, this::giveUp, programs.engine().holds()::unreleasedMessage)
                .whenComplete((done, error) -> {
                    programs.engine().holds().endTimer();
                    programs.threads().endWhenIdle();
                });
    }

    private CompletableFuture<Void> within(
            Duration limit, Supplier<CompletableFuture<Void>> work, Supplier<String> late) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Timer.Timeout timeout = programs.threads().realTime().schedule(limit, () -> {
            if (end.complete(null)) {
                BackgroundLog.log(WARNING, late.get());
            }
        });
        CompletableFuture<Void> unused = work.get().whenComplete((done, error) -> {
            timeout.cancel();
            end.complete(null);
        });
        return end;
    }

    /** A release of a holder that is in flight may fail, and is then repeated too. */
    private CompletableFuture<Void> giveUp() {
        return programs.engine()
                .close()
                .thenCompose(done -> programs.idle())
                .thenCompose(done -> programs.engine().holds().allReleased());
    }
}
