package org.mongolocks;

import io.github.resilience4j.retry.Retry;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.spi.LockStrategy;

/**
 * A builder of lock clients, the same for both drivers. Not thread-safe.
 *
 * @param <C> what is built: the client, on the reactive driver a {@code Mono} of it
 */
public sealed interface LockClientBuilder<C> permits ClientOptions {
    /** The default time limit of one command: 5 seconds. */
    Duration DEFAULT_COMMAND_TIMEOUT = Duration.ofSeconds(5);

    /** The default ttl of locks that are requested by name alone: 30 seconds. */
    Duration DEFAULT_TTL = Duration.ofSeconds(30);

    /** The longest name of a collection: 180 bytes of UTF-8, which leaves room for the database name and suffixes. */
    int MAX_COLLECTION_BYTES = 180;

    /** The default limit for the time that closing a client may take: 10 seconds. */
    Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(10);

    /** The default limit for the time that {@code close()} waits for locks that are still held: 5 seconds. */
    Duration DEFAULT_DRAIN_TIMEOUT = Duration.ofSeconds(5);

    /**
     * Selects the strategy by its name, among those on the class path or module path.
     *
     * @param name the name, for example {@code findandmodify-counter}
     * @return this
     * @throws IllegalArgumentException if there is no such strategy; the message lists those that are present
     * @throws LockException if two strategies on the class path have the same name
     */
    LockClientBuilder<C> strategy(String name);

    /**
     * Sets the strategy. Without a choice the client takes the only strategy on the class path or module path. If there
     * are several, it takes {@code findandmodify-counter}, and logs which others there are.
     *
     * @param chosen the strategy
     * @return this
     */
    LockClientBuilder<C> strategy(LockStrategy chosen);

    /**
     * Sets the collection of the lock documents. Each strategy needs a collection of its own: documents of another
     * strategy are refused with {@link LockStorageException}. The default is {@code locks.} and the name of the
     * strategy.
     *
     * @param name the name of the collection, without its database: 1 to {@value #MAX_COLLECTION_BYTES} bytes of UTF-8,
     *     without {@code $}, NUL and unpaired surrogates; it does not begin with a dot or {@code system.}
     * @return this
     * @throws IllegalArgumentException if the name is invalid
     */
    LockClientBuilder<C> collection(String name);

    /**
     * Limits the time of one command, the driver's own retries included. Choose it much shorter than the ttl of the
     * locks. The default is {@link #DEFAULT_COMMAND_TIMEOUT}.
     *
     * @param limit from 10 milliseconds to 5 minutes
     * @return this
     * @throws IllegalArgumentException if the limit is out of bounds
     */
    LockClientBuilder<C> commandTimeout(Duration limit);

    /**
     * Sets the polling intervals of the first waiter of each lock in this client. They are used while no change stream
     * reports releases in time. If the end of the holder's lease comes first, the next look is then. The defaults are 10
     * milliseconds and 1 second.
     *
     * <ul>
     *   <li>A waiter that is not in the list of the lock waits for {@code first}, then twice as long each time, up to
     *       {@code cap}. Each wait is shortened at random, by up to half. Beside a stream whose events are late it is
     *       halved until it is 250 milliseconds at most.
     *   <li>A waiter in the list waits in the same way, but as many times longer as its place in the list, and begins
     *       again with {@code first} when it moves up. The result is halved until it is 200 milliseconds at most for the
     *       first four, and half a second for the others.
     *   <li>While attempts take long, each of these limits is four times the duration of an attempt.
     * </ul>
     *
     * @param first the first wait, 1 millisecond or more
     * @param cap the longest wait, at least the first
     * @return this
     * @throws IllegalArgumentException if a wait is out of bounds
     */
    LockClientBuilder<C> polling(Duration first, Duration cap);

    /**
     * Sets how often a command is attempted after faults, never after contention, and the waits before these retries. A
     * wait is {@code first}, then twice as long each time, up to {@code longest}, each shortened by a random part of up
     * to half. Faults that a retry cannot help are not retried. The default is 6 attempts, and waits of 20 to 500
     * milliseconds. A renewal is retried more often, while its lease lasts.
     *
     * @param attempts the most attempts, 1 or more
     * @param first the first wait, 1 millisecond or more
     * @param longest the longest wait, at least the first, and at most a day
     * @return this
     * @throws IllegalArgumentException if a value is out of bounds
     */
    LockClientBuilder<C> faultRetry(int attempts, Duration first, Duration longest);

    /**
     * Sets the same by a retry of resilience4j. Each fault that a retry can help causes one event of it.
     *
     * @param retry the retry; its interval and its number of attempts are used. Its predicates are not: a fault that
     *     they ignore is retried all the same, although the retry publishes an event for an ignored error.
     * @return this
     */
    @SuppressWarnings("exports") // A module that has a Retry requires its module; the others need not read that.
    LockClientBuilder<C> faultRetry(Retry retry);

    /**
     * Sets the ttl of locks that are requested by name alone, as in {@code withLock("invoice-42", work)}. The client keeps
     * such a lock alive, so the ttl says how soon another owner gets the lock after a crash. The default is
     * {@link #DEFAULT_TTL}.
     *
     * @param ttl the length of each lease, from {@link LockRequest#MIN_TTL} to {@link LockRequest#MAX_TTL}
     * @return this
     * @throws IllegalArgumentException if the ttl is out of bounds
     */
    LockClientBuilder<C> defaultTtl(Duration ttl);

    /**
     * Sets how long a lock that is requested by name alone waits while another owner holds it; see
     * {@link LockRequest#waitAtMost()}. The default is zero: one attempt.
     *
     * @param wait from zero to {@link LockRequest#MAX_WAIT}
     * @return this
     * @throws IllegalArgumentException if the wait is out of bounds
     */
    LockClientBuilder<C> defaultWait(Duration wait);

    /**
     * Names this client instance in the owner of each lock, for operators. The default is random, and differs for each
     * client that is built. Clients that share a collection need different names: one takes the locks of another of its
     * name for its own, and may notice their release seconds late.
     *
     * @param name the name; see {@link Owner}
     * @return this
     * @throws IllegalArgumentException if the name is not a valid instance name of an {@link Owner}
     */
    LockClientBuilder<C> instance(String name);

    /**
     * Sets what the client does about collections and indexes when it is built. The default is
     * {@link SchemaMode#CREATE}.
     *
     * @param mode what to do
     * @return this
     */
    LockClientBuilder<C> schema(SchemaMode mode);

    /**
     * Sets the listener for a grant whose token is not larger than an earlier one: the lock document was dropped,
     * renamed, or restored from a backup. The acquisition fails with {@link TokenWentBackException}, and a warning is
     * logged, whether or not a listener is set. A client remembers the tokens of its own grants for the thousand most
     * recently used names.
     *
     * @param listener the listener; an exception that it throws is added as suppressed to the
     *     {@link TokenWentBackException}
     * @return this
     */
    LockClientBuilder<C> onTokenWentBack(TokenListener listener);

    /**
     * Sets how much earlier the holder's end of a lease is than the server's end. The margin covers what the holder's
     * clock may lose against the server's clock during one lease, and the time that a timer may be late. The default is
     * a thousandth of the ttl and 10 milliseconds: twice the 500 ppm by which a clock under NTP may run wrong, and the
     * coarseness of dates and timers. No margin covers a pause of this JVM.
     *
     * @param margin from zero to 10 minutes, and less than the ttl of every request
     * @return this
     * @throws IllegalArgumentException if the margin is out of bounds
     */
    LockClientBuilder<C> skewMargin(Duration margin);

    /**
     * Limits how long closing the client may take after {@link #drainTimeout}, even if the server does not answer. A lock
     * that could not be released by then stays held until its ttl has passed. The default is {@link #DEFAULT_CLOSE_TIMEOUT}.
     *
     * @param limit from zero, which makes one attempt without waiting, to 10 minutes
     * @return this
     * @throws IllegalArgumentException if the limit is out of bounds
     */
    LockClientBuilder<C> closeTimeout(Duration limit);

    /**
     * Sets how long {@code close()} waits for locks that are still held, before it takes them from their holders. Give a
     * shutdown longer than that and {@link #closeTimeout} together. The default is {@link #DEFAULT_DRAIN_TIMEOUT}.
     *
     * @param limit from zero, which closes at once, to one day
     * @return this
     * @throws IllegalArgumentException if the limit is out of bounds
     */
    LockClientBuilder<C> drainTimeout(Duration limit);

    /**
     * Sets what is stored about the holder of a lock for operators ({@link LockSnapshot#holderInfo()}). The default is
     * {@link HolderInfo#ofThisThread}: host, process and thread. {@code HolderInfo::none} stores nothing but the note
     * of a request; {@code () -> HolderInfo.of("billing-3")} stores that name as the host.
     *
     * @param info called once for each acquisition, on the thread that acquires, on the reactive client the
     *     subscriber's; it must not block. If it throws, the acquisition throws the same exception and sends nothing;
     *     if it returns null, a {@link NullPointerException}. Its note is not used.
     * @return this
     */
    LockClientBuilder<C> holderInfo(Supplier<HolderInfo> info);

    /**
     * Sets the executor that runs the listeners of locks. Without one, daemon threads of the client run them, created
     * when needed. A listener has the context class loader of the thread that has added it. Each thread that blocks occupies one of them, and delays only the other
     * listeners of its lock. When 32 are blocked, that is logged once as a warning. Such a thread also hands each
     * listener to this executor, which may block, or run it on the calling thread. If the executor throws, the listener
     * runs on the thread of the client.
     *
     * @param executor the executor, which runs each listener or throws; the caller shuts it down, after the client is
     *     closed
     * @return this
     */
    LockClientBuilder<C> listenerExecutor(Executor executor);

    /**
     * Sets the observer of all locks of the client, for metrics and traces. It is called on a daemon thread of its own,
     * named {@code mongo-locks-observer}, which ends a second after the last event: it may block, be slow or throw
     * without an effect on any lock. Without one, nothing is recorded.
     *
     * @param of the observer; see {@link LockEvent} for what it receives
     * @return this
     */
    LockClientBuilder<C> observer(LockObserver of);

    /**
     * Builds the client, on the reactive driver for each subscriber of the {@code Mono}. The server must be reachable:
     * there is no lazy start, so that a wrong setting shows at start-up. It reads the server's description, and sends
     * an update pipeline that matches nothing if the strategy needs pipelines: a round trip each. It reads the options
     * of each collection of the strategy: one round trip, one more for the indexes if it exists, and another through a
     * router. It creates a missing collection or index in one round trip, unless configured otherwise.
     *
     * @return the client; a {@code Mono} fails with what is listed here, but for a missing strategy
     * @throws IllegalStateException if no strategy was chosen, and the class path has none, or several without
     *     {@code findandmodify-counter}; or if the driver is older than 5.2
     * @throws LockStorageException if the server lacks what the strategy needs, or a collection makes locks unsafe, for
     *     example by its default collation. With {@link SchemaMode#VALIDATE} also if a part of the schema is missing
     * @throws LockException if the server refused or gave no reply
     * @throws LockInterruptedException if the thread was interrupted
     */
    C build();
}
