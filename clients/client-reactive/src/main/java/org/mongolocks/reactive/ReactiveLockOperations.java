package org.mongolocks.reactive;

import java.util.Objects;
import java.util.function.Function;
import org.mongolocks.ClientClosedException;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.TokenWentBackException;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * The ways to acquire one lock: those of a {@link ReactiveLockClient}, of its
 * {@linkplain ReactiveLockClient#reentrant re-entrant view}, and of what decorates them. For a parameter or a field that
 * any of them may fill, and for a double in tests.
 *
 * <p>There are two answers to a lock that another owner holds. Methods that begin with {@code try} emit {@code false} or
 * nothing; the others fail with {@link LockContendedException}, whose message names the holder. Both wait as long as the
 * {@linkplain LockRequest#waitAtMost() request} says, counted from the subscription.
 *
 * <p>A method that takes a name instead of a {@link LockRequest} uses the {@linkplain #request defaults of the client}.
 */
public interface ReactiveLockOperations {
    /**
     * Returns a request for a lock with the defaults of the client's builder. No round trip.
     *
     * @param name the name of the lock; see {@link LockName}
     * @return the request
     * @throws IllegalArgumentException if the name is out of bounds
     */
    LockRequest request(String name);

    /**
     * Acquires a lock, and waits while another owner holds it, at most for the wait of the request. It emits at most one
     * command timeout ({@link LockClientBuilder#commandTimeout}) after that, even if the server does not reply. A
     * possible grant that could not be compensated by then is released in the background, which is repeated until the
     * server replies; {@link ReactiveLockClient#closeLater()} waits for a last try. See the strategy for the round trips
     * of an attempt; more after faults.
     *
     * <p>A cancellation at the very moment of the grant, for example by {@code timeout}, may come after the lock was
     * delivered. Then it stays held until its ttl has passed, or until the handle is garbage-collected if it is kept
     * alive. Bound the wait in the request instead, or use {@link #tryWithLock}.
     *
     * @param request the lock, the ttl and the wait
     * @return emits the held lock, or nothing if another owner held it all the time. Fails with
     *     {@link IndeterminateOutcomeException} if replies were lost and the attempt could not be compensated in time.
     *     Fails with {@link TokenWentBackException} if the grant has a token that is not larger than an earlier one of
     *     this client. The grant is released then, or ends with its lease if the release got no reply. Fails with
     *     {@link LockException} if the server refused or gave no reply, and nothing is held. Fails with
     *     {@link ClientClosedException} if the client is closed. Fails with {@link IllegalStateException} in work under
     *     this very lock, if it does not enter it again as {@link ReactiveLockClient#reentrant} allows.
     */
    Mono<ReactiveHeldLock> tryAcquire(LockRequest request);

    /**
     * Acquires a lock as {@link #tryAcquire(LockRequest)} does, with the defaults of the client.
     *
     * @param name the name of the lock
     * @return emits the held lock, or nothing if another owner held it all the time. Fails as
     *     {@link #tryAcquire(LockRequest)} does.
     */
    default Mono<ReactiveHeldLock> tryAcquire(String name) {
        return tryAcquire(request(name));
    }

    /**
     * Acquires a lock as {@link #tryAcquire(LockRequest)} does, and fails if another owner holds it.
     *
     * @param request the lock, the ttl and the wait
     * @return emits the held lock. Fails with {@link LockContendedException} if another owner held it all the time; and as
     *     {@link #tryAcquire(LockRequest)} does.
     */
    Mono<ReactiveHeldLock> acquire(LockRequest request);

    /**
     * Acquires a lock as {@link #acquire(LockRequest)} does, with the defaults of the client.
     *
     * @param name the name of the lock
     * @return emits the held lock. Fails as {@link #acquire(LockRequest)} does.
     */
    default Mono<ReactiveHeldLock> acquire(String name) {
        return acquire(request(name));
    }

    /**
     * Runs work with a result under a lock, and releases the lock in every case, also when the work is cancelled. When
     * the lock is lost the work is cancelled. The client keeps the lock alive meanwhile. Under a
     * {@linkplain LockRequest#fixedLease() fixed lease} the work should take much less than the ttl, or renew the lock.
     *
     * @param request the lock, the ttl and the wait
     * @param work returns the work
     * @param <R> the result of the work
     * @return emits the result, or nothing if the work is empty. Fails with the error of the work, to which a loss
     *     before is added as a suppressed exception. Fails with {@link LockContendedException} if another owner held
     *     the lock all the time, and nothing was done. Fails with {@link LockLostException} if the lock was lost before
     *     the end of the work, or before its begin, and then it is not begun. Fails with {@link IllegalStateException}
     *     if the function throws an error that Reactor would signal to nobody, for example a {@link LinkageError},
     *     which is the cause. Fails as {@link #tryAcquire(LockRequest)} does, and then nothing was done. A release that
     *     fails after work that was done in time is logged; the lock stays held until its ttl has passed.
     */
    <R> Mono<R> callWithLock(LockRequest request, Function<ReactiveHeldLock, Mono<R>> work);

    /**
     * Runs work with a result under a lock as {@link #callWithLock(LockRequest, Function)} does, with the defaults of the
     * client.
     *
     * @param name the name of the lock
     * @param work returns the work
     * @param <R> the result of the work
     * @return emits the result, or nothing if the work is empty. Fails as {@link #callWithLock(LockRequest, Function)} does.
     */
    default <R> Mono<R> callWithLock(String name, Function<ReactiveHeldLock, Mono<R>> work) {
        return callWithLock(request(name), work);
    }

    /**
     * Runs work with a result as {@link #callWithLock(LockRequest, Function)} does, unless another owner holds the lock.
     *
     * @param request the lock, the ttl and the wait
     * @param work returns the work
     * @param <R> the result of the work
     * @return emits the result, or nothing if another owner held the lock all the time and nothing was done, or if the
     *     work is empty. Fails as {@link #callWithLock(LockRequest, Function)} does, except for a contended lock.
     */
    <R> Mono<R> tryCallWithLock(LockRequest request, Function<ReactiveHeldLock, Mono<R>> work);

    /**
     * Runs work with a result as {@link #tryCallWithLock(LockRequest, Function)} does, with the defaults of the client.
     *
     * @param name the name of the lock
     * @param work returns the work
     * @param <R> the result of the work
     * @return emits the result, or nothing if another owner held the lock all the time and nothing was done, or if the
     *     work is empty. Fails as {@link #tryCallWithLock(LockRequest, Function)} does.
     */
    default <R> Mono<R> tryCallWithLock(String name, Function<ReactiveHeldLock, Mono<R>> work) {
        return tryCallWithLock(request(name), work);
    }

    /**
     * Runs work as {@link #callWithLock(LockRequest, Function)} does.
     *
     * @param request the lock, the ttl and the wait
     * @param action returns the work; its elements are dropped
     * @return completes at the end of the work. Fails as {@link #callWithLock(LockRequest, Function)} does.
     */
    default Mono<Void> withLock(LockRequest request, Function<ReactiveHeldLock, ? extends Publisher<?>> action) {
        return callWithLock(request, withoutElements(action)).then();
    }

    /**
     * Runs work as {@link #withLock(LockRequest, Function)} does, with the defaults of the client.
     *
     * @param name the name of the lock
     * @param action returns the work; its elements are dropped
     * @return completes at the end of the work. Fails as {@link #callWithLock(LockRequest, Function)} does.
     */
    default Mono<Void> withLock(String name, Function<ReactiveHeldLock, ? extends Publisher<?>> action) {
        return withLock(request(name), action);
    }

    /**
     * Runs work as {@link #withLock(LockRequest, Function)} does, unless another owner holds the lock.
     *
     * @param request the lock, the ttl and the wait
     * @param action returns the work; its elements are dropped
     * @return emits true if the work was done; false if another owner held the lock all the time and nothing was done.
     *     Fails as {@link #callWithLock(LockRequest, Function)} does, except for a contended lock.
     */
    default Mono<Boolean> tryWithLock(LockRequest request, Function<ReactiveHeldLock, ? extends Publisher<?>> action) {
        return tryCallWithLock(request, withoutElements(action)).defaultIfEmpty(false);
    }

    /**
     * Runs work as {@link #tryWithLock(LockRequest, Function)} does, with the defaults of the client.
     *
     * @param name the name of the lock
     * @param action returns the work; its elements are dropped
     * @return emits true if the work was done; false if another owner held the lock all the time and nothing was done.
     *     Fails as {@link #tryWithLock(LockRequest, Function)} does.
     */
    default Mono<Boolean> tryWithLock(String name, Function<ReactiveHeldLock, ? extends Publisher<?>> action) {
        return tryWithLock(request(name), action);
    }

    private static Function<ReactiveHeldLock, Mono<Boolean>> withoutElements(
            Function<ReactiveHeldLock, ? extends Publisher<?>> action) {
        Objects.requireNonNull(action, "The action is null");
        return lock -> WithLock.done(action.apply(lock));
    }
}
