package org.mongolocks.sync;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.CheckReturnValue;
import org.mongolocks.ClientClosedException;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.TokenWentBackException;
import org.mongolocks.sync.HeldLock.LockedAction;
import org.mongolocks.sync.HeldLock.LockedCallable;

/**
 * The ways to acquire one lock: those of a {@link LockClient}, of its {@linkplain LockClient#reentrant re-entrant view},
 * and of what decorates them. For a parameter or a field that any of them may fill, and for a double in tests.
 *
 * <p>There are two answers to a lock that another owner holds. Methods that begin with {@code try} return
 * {@code false} or an empty {@code Optional}; the others throw {@link LockContendedException}, whose message names the
 * holder. Both wait as long as the {@linkplain LockRequest#waitAtMost() request} says.
 *
 * <p>A method that takes a name instead of a {@link LockRequest} uses the {@linkplain #request defaults of the client}.
 */
public interface LockOperations {
    /**
     * Returns a request for a lock with the defaults of the client's builder. No round trip.
     *
     * @param name the name of the lock; see {@link LockName}
     * @return the request
     * @throws IllegalArgumentException if the name is out of bounds
     */
    LockRequest request(String name);

    /**
     * Acquires a lock, and waits while another owner holds it, at most for the wait of the request. It returns at most
     * one command timeout ({@link LockClientBuilder#commandTimeout}) after that, even if the server does not reply. A
     * possible grant that could not be compensated by then is released in the background, which is repeated until the
     * server replies; {@link LockClient#close()} waits for a last try. See the strategy for the round trips of an
     * attempt; more after faults.
     *
     * @param request the lock, the ttl and the wait
     * @return the held lock, or empty if another owner held it all the time
     * @throws IndeterminateOutcomeException if replies were lost and the attempt could not be compensated in time
     * @throws TokenWentBackException if the grant has a token that is not larger than an earlier one of this client;
     *     the grant is released, or ends with its lease if the release got no reply
     * @throws LockException if the server refused or gave no reply; nothing is held
     * @throws InterruptedException if the thread was interrupted; a lock acquired by then has been released. A command
     *     in flight is awaited first, at most for its time limit: an interrupt does not end the read of a socket.
     * @throws ClientClosedException if the client is closed
     * @throws IllegalStateException if this thread runs work under this very lock, and does not enter it again as
     *     {@link LockClient#reentrant} allows
     */
    @CheckReturnValue
    Optional<HeldLock> tryAcquire(LockRequest request) throws InterruptedException;

    /**
     * Acquires a lock as {@link #tryAcquire(LockRequest)} does, with the defaults of the client.
     *
     * @param name the name of the lock
     * @return the held lock, or empty if another owner held it all the time
     * @throws LockException as {@link #tryAcquire(LockRequest)} does
     * @throws InterruptedException if the thread was interrupted; nothing is held
     * @throws IllegalStateException as {@link #tryAcquire(LockRequest)} does
     */
    @CheckReturnValue
    default Optional<HeldLock> tryAcquire(String name) throws InterruptedException {
        return tryAcquire(request(name));
    }

    /**
     * Acquires a lock as {@link #tryAcquire(LockRequest)} does, and throws an exception if another owner holds it.
     *
     * <pre>{@code
     * try (HeldLock lock = locks.acquire(request)) {
     *     bill(lock.fencingToken());
     * }
     * }</pre>
     *
     * @param request the lock, the ttl and the wait
     * @return the held lock
     * @throws LockContendedException if another owner held it all the time
     * @throws LockException as {@link #tryAcquire(LockRequest)} does
     * @throws InterruptedException if the thread was interrupted; nothing is held
     * @throws IllegalStateException as {@link #tryAcquire(LockRequest)} does
     */
    HeldLock acquire(LockRequest request) throws InterruptedException;

    /**
     * Acquires a lock as {@link #acquire(LockRequest)} does, with the defaults of the client.
     *
     * @param name the name of the lock
     * @return the held lock
     * @throws LockContendedException if another owner held it all the time
     * @throws LockException as {@link #tryAcquire(LockRequest)} does
     * @throws InterruptedException if the thread was interrupted; nothing is held
     * @throws IllegalStateException as {@link #tryAcquire(LockRequest)} does
     */
    default HeldLock acquire(String name) throws InterruptedException {
        return acquire(request(name));
    }

    /**
     * Runs work with a result under a lock, and releases the lock in every case. The client keeps the lock alive
     * meanwhile. Under a {@linkplain LockRequest#fixedLease() fixed lease} the work should take much less than the ttl, or
     * renew the lock.
     *
     * <p>If the lock is lost, the thread of the work is interrupted, and this method throws {@link LockLostException}
     * when the work ends, whether it noticed the interrupt or not; the thread stays interrupted. To go on with other
     * work a thread that nothing else interrupts calls {@link Thread#interrupted()}. Work that must not be
     * interrupted calls {@link HeldLock#endInterruptOnLoss()} first. An exception of the work is thrown as it is; if the
     * lock was lost meanwhile and did not interrupt it, with the {@link LockLostException} as a suppressed exception.
     *
     * @param request the lock, the ttl and the wait
     * @param work the work
     * @param <R> the result of the work; it may be null
     * @param <E> the exceptions of the work
     * @return the result
     * @throws E if the work failed
     * @throws LockContendedException if another owner held the lock all the time; nothing was done
     * @throws LockLostException if the lock was lost before the end of the work. If the loss interrupted the work, the
     *     cause is the exception of the work. If the lock was lost before the work began, nothing was done
     * @throws LockException as {@link #tryAcquire(LockRequest)} does, and then nothing was done. A release that fails
     *     after work that was done in time is not thrown but logged; the lock stays held until its ttl has passed.
     * @throws InterruptedException if the thread was interrupted while it waited; nothing was done
     */
    <R extends @Nullable Object, E extends Exception> R callWithLock(LockRequest request, LockedCallable<R, E> work)
            throws E, InterruptedException;

    /**
     * Runs work with a result under a lock as {@link #callWithLock(LockRequest, LockedCallable)} does, with the defaults
     * of the client.
     *
     * @param name the name of the lock
     * @param work the work
     * @param <R> the result of the work; it may be null
     * @param <E> the exceptions of the work
     * @return the result
     * @throws E if the work failed
     * @throws InterruptedException if the thread was interrupted while it waited; nothing was done
     */
    default <R extends @Nullable Object, E extends Exception> R callWithLock(String name, LockedCallable<R, E> work)
            throws E, InterruptedException {
        return callWithLock(request(name), work);
    }

    /**
     * Runs work with a result as {@link #callWithLock(LockRequest, LockedCallable)} does, unless another owner holds the
     * lock.
     *
     * @param request the lock, the ttl and the wait
     * @param work the work; its result is not null
     * @param <R> the result of the work
     * @param <E> the exceptions of the work
     * @return the result; empty if another owner held the lock all the time and nothing was done
     * @throws E if the work failed
     * @throws LockException as {@link #callWithLock(LockRequest, LockedCallable)} does, except for a contended lock
     * @throws InterruptedException if the thread was interrupted while it waited; nothing was done
     * @throws NullPointerException if the result was null; the work was done
     */
    @CheckReturnValue
    <R, E extends Exception> Optional<R> tryCallWithLock(LockRequest request, LockedCallable<R, E> work)
            throws E, InterruptedException;

    /**
     * Runs work with a result as {@link #tryCallWithLock(LockRequest, LockedCallable)} does, with the defaults of the
     * client.
     *
     * @param name the name of the lock
     * @param work the work; its result is not null
     * @param <R> the result of the work
     * @param <E> the exceptions of the work
     * @return the result; empty if another owner held the lock all the time and nothing was done
     * @throws E if the work failed
     * @throws InterruptedException if the thread was interrupted while it waited; nothing was done
     */
    @CheckReturnValue
    default <R, E extends Exception> Optional<R> tryCallWithLock(String name, LockedCallable<R, E> work)
            throws E, InterruptedException {
        return tryCallWithLock(request(name), work);
    }

    /**
     * Runs work as {@link #callWithLock(LockRequest, LockedCallable)} does.
     *
     * @param request the lock, the ttl and the wait
     * @param action the work
     * @param <E> the exceptions of the work
     * @throws E if the work failed
     * @throws LockContendedException if another owner held the lock all the time; nothing was done
     * @throws LockException as {@link #callWithLock(LockRequest, LockedCallable)} does
     * @throws InterruptedException if the thread was interrupted while it waited; nothing was done
     */
    default <E extends Exception> void withLock(LockRequest request, LockedAction<E> action)
            throws E, InterruptedException {
        Boolean unused = callWithLock(request, callable(action));
    }

    /**
     * Runs work as {@link #withLock(LockRequest, LockedAction)} does, with the defaults of the client.
     *
     * @param name the name of the lock
     * @param action the work
     * @param <E> the exceptions of the work
     * @throws E if the work failed
     * @throws InterruptedException if the thread was interrupted while it waited; nothing was done
     */
    default <E extends Exception> void withLock(String name, LockedAction<E> action) throws E, InterruptedException {
        withLock(request(name), action);
    }

    /**
     * Runs work as {@link #withLock(LockRequest, LockedAction)} does, unless another owner holds the lock.
     *
     * @param request the lock, the ttl and the wait
     * @param action the work
     * @param <E> the exceptions of the work
     * @return true if the work was done; false if another owner held the lock all the time and nothing was done
     * @throws E if the work failed
     * @throws LockException as {@link #callWithLock(LockRequest, LockedCallable)} does, except for a contended lock
     * @throws InterruptedException if the thread was interrupted while it waited; nothing was done
     */
    @CheckReturnValue
    default <E extends Exception> boolean tryWithLock(LockRequest request, LockedAction<E> action)
            throws E, InterruptedException {
        return tryCallWithLock(request, callable(action)).isPresent();
    }

    /**
     * Runs work as {@link #tryWithLock(LockRequest, LockedAction)} does, with the defaults of the client.
     *
     * @param name the name of the lock
     * @param action the work
     * @param <E> the exceptions of the work
     * @return true if the work was done; false if another owner held the lock all the time and nothing was done
     * @throws E if the work failed
     * @throws InterruptedException if the thread was interrupted while it waited; nothing was done
     */
    @CheckReturnValue
    default <E extends Exception> boolean tryWithLock(String name, LockedAction<E> action)
            throws E, InterruptedException {
        return tryWithLock(request(name), action);
    }

    private static <E extends Exception> LockedCallable<Boolean, E> callable(LockedAction<E> action) {
        Objects.requireNonNull(action, "The action is null");
        return lock -> {
            action.run(lock);
            return true;
        };
    }
}
