package org.mongolocks.reactive;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.mongolocks.internal.hold.HoldRegistry;
import reactor.core.publisher.Mono;

/** The shutdown of a client, within the time of its settings. */
record ClientShutdown(Sessions programs, HoldRegistry holds) {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    /** Begins with the subscription, and never fails. */
    Mono<Void> close() {
        return Mono.fromFuture(this::giveUp, true)
                .then(programs.idle())
                .timeout(programs.settings().holding().closeTimeout())
                .onErrorResume(
                        TimeoutException.class,
                        late -> Mono.fromRunnable(
                                () -> LOG.log(WARNING, "A lock client was closed before all its locks were released")));
    }

    /** Waits until no lock is held, at most that long, and closes then, which cancels the work that is left. */
    Mono<Void> drain(Duration limit) {
        return Mono.fromFuture(this::refuse, true)
                .timeout(limit)
                .onErrorResume(
                        TimeoutException.class,
                        late -> Mono.fromRunnable(() -> LOG.log(
                                WARNING,
                                "Locks are held after the time for draining a lock client; their work is cancelled")))
                .then(close());
    }

    private CompletableFuture<Void> refuse() {
        CompletableFuture<Void> drained = holds.drain();
        programs.room().close();
        return drained;
    }

    private CompletableFuture<Void> giveUp() {
        CompletableFuture<Void> released = holds.close();
        programs.room().close();
        return released;
    }
}
