package org.mongolocks.reactive;

import static java.lang.System.Logger.Level.WARNING;

import java.util.Optional;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LossReason;
import org.mongolocks.internal.hold.Hold;
import reactor.core.publisher.Mono;

/** The end of work that a lock guarded. */
record WithLockCompletion(ReactiveHeldLock lock, Hold hold) {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    /**
     * Releases the lock; reports an earlier loss, but only logs a failed release, because the work was done in time.
     */
    Mono<Boolean> finish() {
        return Mono.defer(() -> lock.release()
                .onErrorResume(RuntimeException.class, this::log)
                .flatMap(held -> held || hold.loss().isEmpty() ? Mono.just(true) : Mono.error(loss())));
    }

    /** Adds the loss to an error of the work, unless it is this very loss. */
    void addLossTo(Throwable error) {
        boolean isHeld = lock.isHeld();
        boolean isTold =
                error instanceof LockLostException lost && lost.lockName().equals(Optional.of(name()));
        if (!isHeld && hold.loss().isPresent() && !isTold) {
            error.addSuppressed(loss());
        }
    }

    private Mono<Boolean> log(RuntimeException e) {
        LOG.log(WARNING, lock + " could not be released after the work; it is held until its ttl has passed: " + e);
        return Mono.just(true);
    }

    private LockLostException loss() {
        return new LockLostException(name(), hold.loss().orElse(LossReason.EXPIRED));
    }

    private LockName name() {
        return hold.lease().name();
    }
}
