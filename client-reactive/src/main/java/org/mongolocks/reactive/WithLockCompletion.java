package org.mongolocks.reactive;

import static java.lang.System.Logger.Level.WARNING;

import java.util.stream.Stream;
import org.mongolocks.LockException;
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
        return Mono.defer(() -> {
            boolean inTime = !hold.remaining().isZero();
            return lock.release()
                    .onErrorResume(LockException.class, e -> inTime ? report(e) : Mono.error(loss(e)))
                    .flatMap(held -> held || hold.loss().isEmpty() ? Mono.just(true) : Mono.error(loss()));
        });
    }

    private Mono<Boolean> report(LockException e) {
        LOG.log(WARNING, lock + " could not be released after the work; it stays held until its ttl has passed", e);
        return Mono.just(true);
    }

    private LockLostException loss(LockException... hidden) {
        LockLostException lost = new LockLostException(name(), hold.loss().orElse(LossReason.EXPIRED));
        Stream.of(hidden).forEach(lost::addSuppressed);
        return lost;
    }

    private LockName name() {
        return hold.lease().name();
    }
}
