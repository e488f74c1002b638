package org.mongolocks.reactive;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.mongolocks.ClientSettings.Timer;
import org.mongolocks.internal.hold.HoldRegistry;
import reactor.core.publisher.Mono;

/** The shutdown of a client, within the time of its settings. */
record ClientShutdown(Sessions programs, HoldRegistry holds) {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    /** Begins with the subscription, and never fails. */
    Mono<Void> close() {
        Duration limit = programs.settings().holding().closeTimeout();
        return within(limit, this::giveUp, "A lock client was closed before all its locks were released")
                .doOnTerminate(programs.threads()::endWhenIdle);
    }

    /** Waits until no lock is held, at most that long, and closes then, which cancels the work that is left. */
    Mono<Void> drain(Duration limit) {
        String late = "Locks are held after the time for draining a lock client; their work is cancelled";
        return within(limit, this::refuse, late).then(close());
    }

    /** Cancelling ends the wait, not the work. */
    private Mono<Void> within(Duration limit, Supplier<CompletableFuture<Void>> work, String late) {
        Mono<Boolean> inTime = Mono.fromFuture(
                () -> {
                    CompletableFuture<Boolean> end = new CompletableFuture<>();
                    Timer.Timeout timeout = programs.threads().realTime().schedule(limit, () -> end.complete(false));
                    CompletableFuture<Void> unused = work.get().whenComplete((done, error) -> {
                        timeout.cancel();
                        end.complete(true);
                    });
                    return end;
                },
                true);
        return programs.threads()
                .deliver(inTime)
                .filter(done -> !done)
                .doOnNext(done -> LOG.log(WARNING, late))
                .then();
    }

    private CompletableFuture<Void> refuse() {
        CompletableFuture<Void> drained = holds.drain();
        programs.waiterQueues().close();
        return drained;
    }

    private CompletableFuture<Void> giveUp() {
        CompletableFuture<Void> released = holds.close();
        programs.waiterQueues().close();
        programs.waiterQueues().endPauses();
        return released.thenCompose(done -> programs.idle());
    }
}
