package org.mongolocks.shedlock;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.spi.LockStrategy.Trait;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A lock provider of ShedLock that acquires locks of a {@link ReactiveLockClient}, for applications that have only the
 * reactive driver.
 *
 * <pre>{@code
 * @Bean
 * LockProvider lockProvider(ReactiveLockClient locks) {
 *     return new ReactiveMongoLocksLockProvider(locks);
 * }
 * }</pre>
 *
 * <p>Locks, times and errors are those of {@link MongoLocksLockProvider}; both providers exclude each other if their
 * clients have the same database, strategy and collection.
 *
 * <p>ShedLock's interface is a blocking one. A call, and {@code unlock} and {@code extend} of its lock, block the calling
 * thread until the reply, at most for the time that the client allows its commands; the client itself blocks none. On a
 * thread on which Reactor permits no blocking, such as one of {@link Schedulers#parallel()} or of an event loop,
 * {@code lock} and {@code extend} send nothing and throw {@link LockException}: run the scheduled task on a thread of
 * {@link Schedulers#boundedElastic()} or of an executor. There {@code unlock} begins the release without waiting for it.
 * A task that returns a {@code Mono} returns before its work is done, and the lock does not cover that work: use
 * {@link ReactiveLockClient#withLock} instead.
 *
 * <p>An interrupt is kept, and cancels an acquisition or an extension; a lock that was granted by then is released. A
 * release runs to its end. Thread-safe.
 */
public final class ReactiveMongoLocksLockProvider implements ExtensibleLockProvider {
    private final LockCalls calls;

    /**
     * Creates a provider.
     *
     * @param locks the client; the caller closes it
     * @throws IllegalArgumentException if its strategy has the trait {@link Trait#CLOCK_FREE}: it takes over a lock only
     *     while it waits, and ShedLock never waits, so that the lock of a crashed instance would be held for ever
     */
    public ReactiveMongoLocksLockProvider(ReactiveLockClient locks) {
        Objects.requireNonNull(locks, "The lock client is null");
        this.calls = new LockCalls(
                locks.strategyName(),
                locks.traits(),
                request -> await(locks.tryAcquire(request), ReactiveMongoLocksLockProvider::releaseLater)
                        .map(Held::new));
    }

    /**
     * Makes one attempt to acquire a lock, and blocks until its reply.
     *
     * @param configuration the name and the times
     * @return the lock, or empty if another owner holds it or the client is closed
     * @throws LockException if the calling thread must not block, the server refused or gave no reply, the thread was
     *     interrupted, or {@code lockAtMostFor} is longer than {@link LockRequest#MAX_TTL}
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        return calls.lock(configuration);
    }

    /**
     * Subscribes, and waits for the result or an interrupt, which cancels.
     *
     * @param unwanted gets a result that arrives after the interrupt
     */
    private static <T> Optional<T> await(Mono<T> operation, Consumer<T> unwanted) throws InterruptedException {
        requireMayBlock();
        CompletableFuture<Optional<T>> result = new CompletableFuture<>();
        // A subscriber that is made of functions drops a value that arrives at the moment of the cancellation.
        Disposable subscription = operation
                .doOnNext(value -> {
                    if (!result.complete(Optional.of(value))) {
                        unwanted.accept(value);
                    }
                })
                .subscribe(value -> {}, result::completeExceptionally, () -> result.complete(Optional.empty()));
        try {
            return result.get();
        } catch (ExecutionException e) {
            throw causeOf(e);
        } catch (InterruptedException e) {
            if (result.cancel(false)) {
                subscription.dispose();
            } else if (!result.isCompletedExceptionally()) {
                result.join().ifPresent(unwanted);
            }
            throw e;
        }
    }

    private static RuntimeException causeOf(Exception failure) {
        return failure.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failure);
    }

    private static void requireMayBlock() throws InterruptedException {
        if (Schedulers.isInNonBlockingThread()) {
            throw new IllegalStateException("ShedLock's calls block, and thread '"
                    + Thread.currentThread().getName()
                    + "' must not block; run the task on a thread of Schedulers.boundedElastic() or of an executor");
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("The thread was interrupted before the call");
        }
    }

    private static void releaseLater(ReactiveHeldLock lock) {
        lock.close().subscribe();
    }

    /** A lock of the client. */
    private record Held(ReactiveHeldLock lock) implements LockCalls.Grant {
        @Override
        public boolean renew(Duration ttl) throws InterruptedException {
            return await(lock.renew(ttl), renewed -> {}).orElse(false);
        }

        @Override
        public void holdAtLeast(Duration minimum) {
            lock.holdAtLeast(minimum);
        }

        /** An interrupt does not stop the release, and is kept for later. */
        @Override
        public void release() {
            if (Schedulers.isInNonBlockingThread()) {
                releaseLater(lock);
                return;
            }
            try {
                lock.release().toFuture().join();
            } catch (CompletionException e) {
                throw causeOf(e);
            }
        }
    }
}
