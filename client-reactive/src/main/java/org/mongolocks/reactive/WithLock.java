package org.mongolocks.reactive;

import java.util.List;
import java.util.function.Supplier;
import org.mongolocks.LockLostException;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The execution of work under locks. */
final class WithLock {
    private WithLock() {}

    /** Emits true at the end of the work; a lock that is lost before cancels the work, and fails this. */
    static Mono<Boolean> under(List<ReactiveHeldLock> locks, Supplier<? extends Publisher<?>> work) {
        Mono<Void> lost = Flux.fromIterable(locks)
                .flatMap(lock -> lock.lost()
                        .flatMap(reason ->
                                Mono.error(new LockLostException(lock.lease().name(), reason))))
                .then();
        return Mono.firstWithSignal(lost, Mono.defer(() -> Flux.from(work.get()).then()))
                .then(AllOf.run(locks, lock -> lock.endOfWork().finish()));
    }
}
