package org.mongolocks.reactive;

import static java.lang.System.Logger.Level.WARNING;

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
                .flatMap(held ->
                        held || hold.loss().isEmpty() ? Mono.just(true) : Mono.error(hold.lossException(null))));
    }

    private Mono<Boolean> log(RuntimeException e) {
        LOG.log(WARNING, lock + " could not be released after the work; it is held until its ttl has passed: " + e);
        return Mono.just(true);
    }
}
