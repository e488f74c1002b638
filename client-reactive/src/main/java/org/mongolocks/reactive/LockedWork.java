package org.mongolocks.reactive;

import static java.lang.System.Logger.Level.WARNING;

import java.util.function.Function;
import java.util.stream.Stream;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LossReason;
import org.mongolocks.internal.Hold;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Is work that a lock guards. */
record LockedWork(ReactiveHeldLock lock, Hold hold) {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    /** Does the work, broken off when the lock is lost, and gives the lock back after it. */
    Mono<Boolean> run(Function<ReactiveHeldLock, ? extends Publisher<?>> action) {
        Mono<Void> lost = lock.lost().flatMap(reason -> Mono.error(new LockLostException(name(), reason)));
        return Mono.firstWithSignal(
                        lost, Mono.defer(() -> Flux.from(action.apply(lock)).then()))
                .then(finish());
    }

    /** A fault does not hide from the author of the work that it was done in time. */
    private Mono<Boolean> finish() {
        return Mono.defer(() -> {
            boolean inTime = !hold.remaining().isZero();
            return lock.release()
                    .onErrorResume(LockException.class, e -> inTime ? report(e) : Mono.error(loss(e)))
                    .flatMap(held -> held || hold.loss().isEmpty() ? Mono.just(true) : Mono.error(loss()));
        });
    }

    private Mono<Boolean> report(LockException e) {
        LOG.log(WARNING, lock + " could not be given back after the work; it stays until its ttl has passed", e);
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
