package org.mongolocks.spring;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.mongolocks.LockName;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The lock of the method under {@link Locked} whose publisher is subscribed to, by the Reactor context.
 *
 * <pre>{@code
 * @Locked("invoice-#{#id}")
 * Mono<Receipt> bill(long id) {
 *     return CurrentReactiveLock.get().flatMap(lock -> bill(id, lock.fencingToken()));
 * }
 * }</pre>
 */
public final class CurrentReactiveLock {
    private static final Object KEY = CurrentReactiveLock.class;

    private CurrentReactiveLock() {}

    /** A lock that guards a subscription. */
    private record Entry(ReactiveLockClient client, ReactiveHeldLock lock) {}

    /**
     * Returns the lock of the innermost method under {@link Locked} in whose chain it is subscribed to. No round trip.
     * Do not release the lock.
     *
     * @return emits the held lock, which may have been lost meanwhile. Fails with {@link IllegalStateException} if no
     *     such method has this chain, for example because the method was called through {@code this} and so was not
     *     intercepted, or because the chain was subscribed to apart from the returned publisher.
     */
    public static Mono<ReactiveHeldLock> get() {
        return Mono.deferContextual(context -> {
            List<Entry> entries = entries(context);
            return entries.isEmpty()
                    ? Mono.error(new IllegalStateException("No lock guards this subscription: @Locked works only for"
                            + " calls through the Spring bean, not through this"))
                    : Mono.just(entries.get(0).lock());
        });
    }

    /** Returns the lock with that name, if it guards a subscription. */
    static Optional<ReactiveHeldLock> find(ContextView context, ReactiveLockClient client, LockName name) {
        return entries(context).stream()
                .filter(entry -> entry.client() == client)
                .map(Entry::lock)
                .filter(lock -> lock.lease().name().equals(name))
                .filter(ReactiveHeldLock::isHeld)
                .findFirst();
    }

    /** Adds a lock to a context, before the ones that guard it already. */
    static Function<Context, Context> guardedBy(ReactiveLockClient client, ReactiveHeldLock lock) {
        return context -> context.put(
                KEY,
                Stream.concat(Stream.of(new Entry(client, lock)), entries(context).stream())
                        .toList());
    }

    private static List<Entry> entries(ContextView context) {
        return context.<List<Entry>>getOrEmpty(KEY).orElse(List.of());
    }
}
