package org.mongolocks.reactive;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;

/** An action on several locks at the same time, which completes for each of them even if another one fails. */
final class AllOf {
    private AllOf() {}

    /**
     * Emits whether the result was true for all, or fails, when all have ended, with the first error and the others
     * suppressed.
     */
    static Mono<Boolean> run(List<ReactiveHeldLock> locks, Function<ReactiveHeldLock, Mono<Boolean>> each) {
        return Flux.fromIterable(locks)
                .flatMap(lock -> each.apply(lock).materialize())
                .collectList()
                .flatMap(AllOf::together);
    }

    private static Mono<Boolean> together(List<Signal<Boolean>> ends) {
        Optional<Throwable> error = ends.stream()
                .flatMap(end -> Optional.ofNullable(end.getThrowable()).stream())
                .reduce((first, next) -> {
                    first.addSuppressed(next);
                    return first;
                });
        boolean all = ends.stream().allMatch(end -> Boolean.TRUE.equals(end.get()));
        return error.<Mono<Boolean>>map(Mono::error).orElseGet(() -> Mono.just(all));
    }
}
