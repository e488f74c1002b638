package org.mongolocks.sync;

import static java.lang.System.Logger.Level.WARNING;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientClosedException;
import org.mongolocks.ClientSettings;
import org.mongolocks.ClientStatus;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.Lease;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockException;
import org.mongolocks.LockFormatException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSchemaException;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.TokenWentBackException;
import org.mongolocks.UnsupportedServerException;
import org.mongolocks.internal.engine.ClientEngine;
import org.mongolocks.internal.hold.HoldRegistry;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.schema.ClientStartup;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.sync.HeldLock.LockedAction;
import org.mongolocks.sync.HeldLock.LockedCallable;
import org.mongolocks.sync.HeldLocks.MultiLockAction;

/**
 * A client that acquires locks with the synchronous driver. Build one for each strategy and collection, and share it:
 * it is thread-safe.
 *
 * <pre>{@code
 * LockClient locks = LockClient.builder(mongo, "app").strategy("findandmodify-counter")
 *         .defaultTtl(Duration.ofSeconds(30)).build();
 *
 * Optional<Receipt> receipt = locks.callWithLock("invoice-42", lock -> bill(lock)); // empty if another owner holds it
 * Receipt insisting = locks.call("invoice-42", lock -> bill(lock));                 // throws if another owner holds it
 * boolean done = locks.withLock("invoice-42", lock -> print(lock));                 // false if another owner holds it
 *
 * locks.close(Duration.ofSeconds(20)); // at shutdown, before the driver's client
 * }</pre>
 *
 * <p>A method that takes a name instead of a {@link LockRequest} uses the defaults of the builder
 * ({@link Builder#defaultTtl}, {@link Builder#keepAliveByDefault}), does not wait, and throws
 * {@link IllegalStateException} if there is no default ttl; {@link #request} returns such a request to change it.
 *
 * <p>Locks are not re-entrant. To acquire, on the thread of the work, a lock that guards this very work (that of
 * {@link #withLock}, {@link #callWithLock} or {@link #call}) throws {@link IllegalStateException} instead of waiting
 * for itself, while the lock is held: use {@link #reentrant()}. A thread that holds the lock by a handle of
 * {@link #acquire} is not told apart from other owners, because another thread may release the handle; only the message
 * of {@link LockContendedException} says so.
 */
public final class LockClient implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final ClientSettings settings;
    private final Sessions sessions;
    private final ClientEngine engine;
    private final ClientShutdown shutdown;
    private final Acquirer acquirer;
    private final ReentrantLocks reentrant;
    private final Function<String, LockRequest> requests;

    private LockClient(Sessions sessions, Function<String, LockRequest> requests) {
        this.settings = sessions.settings();
        this.requests = requests;
        this.sessions = sessions;
        this.engine = sessions.engine();
        this.acquirer = new Acquirer(sessions);
        this.shutdown = new ClientShutdown(sessions, acquirer.work());
        this.reentrant = new ReentrantLocks(sessions, acquirer);
    }

    /**
     * Creates a builder of a client.
     *
     * @param mongo the driver's client; the caller closes it, after this one. Whatever its own concerns are, locks are
     *     written with majority and journalled write concern and read from the primary.
     * @param database the database of the lock documents
     * @return a builder
     */
    public static Builder builder(MongoClient mongo, String database) {
        return new Builder(
                Objects.requireNonNull(mongo, "The driver's client is null"),
                Objects.requireNonNull(database, "The name of the database is null"));
    }

    /**
     * Returns a request for a lock with the defaults of the builder. No round trip.
     *
     * @param name the name of the lock; see {@link LockName}
     * @return a request for one attempt, without waiting
     * @throws IllegalArgumentException if the name is out of bounds
     * @throws IllegalStateException if the builder had no {@link Builder#defaultTtl}
     */
    public LockRequest request(String name) {
        return requests.apply(Objects.requireNonNull(name, "The name of the lock is null"));
    }

    /**
     * Makes one attempt to acquire a lock, with the defaults of the builder, as {@link #tryAcquire(LockRequest)} does.
     *
     * @param name the name of the lock
     * @return the held lock, or empty if another owner holds it
     * @throws LockException as {@link #tryAcquire(LockRequest)} does
     * @throws InterruptedException if the thread was interrupted
     * @throws ClientClosedException if this client is closed
     * @throws IllegalStateException if the builder had no default ttl
     */
    public Optional<HeldLock> tryAcquire(String name) throws InterruptedException {
        return tryAcquire(request(name));
    }

    /**
     * Makes one attempt to acquire a lock. See the strategy for the round trips of an attempt; more after faults, but
     * not for longer than one command may take.
     *
     * @param request the lock and the ttl; without a wait, which {@link #acquire} is for
     * @return the held lock, or empty if another owner holds it
     * @throws IndeterminateLockException if replies were lost and the attempt could not be compensated in time
     * @throws TokenWentBackException if the grant has a token that is not larger than an earlier one of this client;
     *     the grant is released, or ends with its lease if the release got no reply
     * @throws LockException if the server refused or gave no reply; nothing is held
     * @throws InterruptedException if the thread was interrupted; locks acquired by then have been released. A command
     *     in flight is awaited first, at most for its time limit: an interrupt does not end the read of a socket.
     * @throws IllegalArgumentException if the request has a wait
     * @throws ClientClosedException if this client is closed
     * @throws IllegalStateException if this thread runs work under this very lock
     */
    public Optional<HeldLock> tryAcquire(LockRequest request) throws InterruptedException {
        Duration wait = requireRequest(request).waitAtMost();
        if (!wait.isZero()) {
            throw new IllegalArgumentException(
                    "waitAtMost must be zero for tryAcquire, was " + wait + "; call acquire");
        }
        return acquire(request);
    }

    /**
     * Acquires a lock, and waits while another owner holds it, at most for the wait of the request. It returns at most
     * one command timeout ({@link Builder#commandTimeout}) after that, even if the server does not reply. A possible
     * grant that could not be compensated by then is released in the background, which is repeated until the server
     * replies; {@link #close} waits for a last try.
     *
     * @param request the lock, the ttl and the wait
     * @return the held lock, or empty if another owner held it all the time
     * @throws IndeterminateLockException if replies were lost and the attempt could not be compensated in time
     * @throws TokenWentBackException if the grant has a token that is not larger than an earlier one of this client;
     *     the grant is released, or ends with its lease if the release got no reply
     * @throws LockException if the server refused or gave no reply; nothing is held
     * @throws InterruptedException if the thread was interrupted; locks acquired by then have been released. A command
     *     in flight is awaited first, at most for its time limit: an interrupt does not end the read of a socket.
     * @throws ClientClosedException if this client is closed
     * @throws IllegalStateException if this thread runs work under this very lock
     */
    public Optional<HeldLock> acquire(LockRequest request) throws InterruptedException {
        return acquirer.acquire(requireRequest(request)).map(hold -> new HeldLock(sessions, hold));
    }

    /**
     * Acquires a lock as {@link #acquire} does, and throws an exception if another owner holds it.
     *
     * <pre>{@code
     * try (HeldLock lock = locks.acquireOrThrow(request)) {
     *     bill(lock.fencingToken());
     * }
     * }</pre>
     *
     * @param request the lock, the ttl and the wait
     * @return the held lock
     * @throws LockContendedException if another owner held it all the time; its message names the holder
     * @throws LockException as {@link #acquire} does; nothing is held
     * @throws InterruptedException if the thread was interrupted; nothing is held
     * @throws ClientClosedException if this client is closed
     * @throws IllegalStateException if this thread runs work under this very lock
     */
    public HeldLock acquireOrThrow(LockRequest request) throws InterruptedException {
        return new HeldLock(sessions, acquirer.acquireOrThrow(requireRequest(request)));
    }

    /**
     * Acquires a lock, with the defaults of the builder, as {@link #acquireOrThrow(LockRequest)} does.
     *
     * @param name the name of the lock
     * @return the held lock
     * @throws LockContendedException if another owner holds it; the message names the holder
     * @throws LockException as {@link #acquire} does; nothing is held
     * @throws InterruptedException if the thread was interrupted; nothing is held
     * @throws ClientClosedException if this client is closed
     * @throws IllegalStateException if the builder had no default ttl
     */
    public HeldLock acquireOrThrow(String name) throws InterruptedException {
        return acquireOrThrow(request(name));
    }

    /**
     * Acquires several locks, all or none, and waits at most for the wait of the request while one of them is held; see
     * {@link MultiLockRequest} for the steps. An interrupt or a failure has the same effects as in {@link #acquire},
     * and leaves nothing held.
     *
     * @param request the locks, the ttl and the wait
     * @return the held locks, each with at least two thirds of its lease left; or empty if one was held all the time
     * @throws IndeterminateLockException if some may be held until their ttl has passed, because replies were lost
     * @throws TokenWentBackException as {@link #acquire} does
     * @throws LockException if the server refused or gave no reply, or if a lock was lost before all were held
     * @throws InterruptedException if the thread was interrupted
     */
    public Optional<HeldLocks> acquireAll(MultiLockRequest request) throws InterruptedException {
        return acquirer.acquireAll(requireRequest(request)).map(holds -> HeldLocks.of(sessions, holds));
    }

    /**
     * Runs work under a lock, and releases the lock in every case. Unless the request asks for
     * {@linkplain LockRequest#keepAlive() keep-alive}, the work should take much less than the ttl, or renew the lock.
     * Work that requests an {@linkplain HeldLock#interruptOnLoss() interrupt on loss} ends with
     * {@link LockLostException} when the lock is lost, whether it notices the interrupt or not, and the interrupt is
     * cleared. An exception of the work is thrown as it is; if the lock was lost meanwhile, with the
     * {@link LockLostException} as a suppressed exception.
     *
     * @param request the lock, the ttl and the wait
     * @param action the work
     * @param <E> the exceptions of the work
     * @return true if the work was done; false if another owner held the lock all the time and nothing was done
     * @throws E if the work failed
     * @throws LockLostException if the work was done, but the lock was lost before its end; if the loss interrupted the
     *     work, with the exception of the work as the cause; or if the lock was lost before the work began, and nothing was
     *     done
     * @throws LockException as {@link #acquire} does, and then nothing was done. A release that fails after work that
     *     was done in time is not thrown but logged; the lock stays held until its ttl has passed.
     * @throws InterruptedException if the thread was interrupted while it waited; nothing was done
     */
    public <E extends Exception> boolean withLock(LockRequest request, LockedAction<E> action)
            throws E, InterruptedException {
        Objects.requireNonNull(action, "The action is null");
        Optional<HeldLock> acquired = acquire(request);
        if (acquired.isPresent()) {
            work(acquired.get(), lock -> {
                action.run(lock);
                return true;
            });
        }
        return acquired.isPresent();
    }

    /**
     * Runs work under a lock, with the defaults of the builder, as {@link #withLock(LockRequest, LockedAction)} does.
     *
     * @param name the name of the lock
     * @param action the work
     * @param <E> the exceptions of the work
     * @return true if the work was done; false if another owner holds the lock and nothing was done
     * @throws E if the work failed
     * @throws InterruptedException if the thread was interrupted while it acquired; nothing was done
     * @throws ClientClosedException if this client is closed
     * @throws IllegalStateException if the builder had no default ttl
     */
    public <E extends Exception> boolean withLock(String name, LockedAction<E> action) throws E, InterruptedException {
        return withLock(request(name), action);
    }

    /**
     * Runs work with a result under a lock, and releases the lock in every case. It fails as
     * {@link #withLock(LockRequest, LockedAction)} does; after a loss there is no result.
     *
     * @param request the lock, the ttl and the wait
     * @param work the work; its result is not null
     * @param <R> the result of the work
     * @param <E> the exceptions of the work
     * @return the result; empty if another owner held the lock all the time and nothing was done
     * @throws E if the work failed
     * @throws LockLostException if the work was done, but the lock was lost before its end
     * @throws LockException as {@link #acquire} does, and then nothing was done
     * @throws InterruptedException if the thread was interrupted while it waited; nothing was done
     * @throws NullPointerException if the result was null; the work was done. {@link #call} allows that.
     */
    public <R, E extends Exception> Optional<R> callWithLock(LockRequest request, LockedCallable<R, E> work)
            throws E, InterruptedException {
        Objects.requireNonNull(work, "The work is null");
        Optional<HeldLock> acquired = acquire(request);
        return acquired.isPresent()
                ? Optional.of(Objects.requireNonNull(work(acquired.get(), work), "The result of the work is null"))
                : Optional.empty();
    }

    /**
     * Runs work with a result under a lock, with the defaults of the builder, as
     * {@link #callWithLock(LockRequest, LockedCallable)} does.
     *
     * @param name the name of the lock
     * @param work the work; its result is not null
     * @param <R> the result of the work
     * @param <E> the exceptions of the work
     * @return the result; empty if another owner holds the lock and nothing was done
     * @throws E if the work failed
     * @throws InterruptedException if the thread was interrupted while it acquired; nothing was done
     * @throws ClientClosedException if this client is closed
     * @throws IllegalStateException if the builder had no default ttl
     */
    public <R, E extends Exception> Optional<R> callWithLock(String name, LockedCallable<R, E> work)
            throws E, InterruptedException {
        return callWithLock(request(name), work);
    }

    /**
     * Runs work with a result under a lock that the caller insists on, and releases the lock in every case. It fails as
     * {@link #withLock(LockRequest, LockedAction)} does, and with an exception if another owner holds the lock.
     *
     * @param request the lock, the ttl and the wait
     * @param work the work
     * @param <R> the result of the work; it may be null
     * @param <E> the exceptions of the work
     * @return the result
     * @throws E if the work failed
     * @throws LockContendedException if another owner held the lock all the time; the message names the holder, and
     *     nothing was done
     * @throws LockLostException if the work was done, but the lock was lost before its end
     * @throws LockException as {@link #acquire} does, and then nothing was done
     * @throws InterruptedException if the thread was interrupted while it waited; nothing was done
     */
    public <R extends @Nullable Object, E extends Exception> R call(LockRequest request, LockedCallable<R, E> work)
            throws E, InterruptedException {
        Objects.requireNonNull(work, "The work is null");
        return work(acquireOrThrow(request), work);
    }

    /**
     * Runs work with a result under a lock that the caller insists on, with the defaults of the builder, as
     * {@link #call(LockRequest, LockedCallable)} does.
     *
     * @param name the name of the lock
     * @param work the work
     * @param <R> the result of the work; it may be null
     * @param <E> the exceptions of the work
     * @return the result
     * @throws E if the work failed
     * @throws LockContendedException if another owner holds the lock; the message names the holder
     * @throws InterruptedException if the thread was interrupted while it acquired; nothing was done
     * @throws ClientClosedException if this client is closed
     * @throws IllegalStateException if the builder had no default ttl
     */
    public <R extends @Nullable Object, E extends Exception> R call(String name, LockedCallable<R, E> work)
            throws E, InterruptedException {
        return call(request(name), work);
    }

    /**
     * Runs work under several locks, and releases all of them in every case. It fails as {@link #acquireAll} does, and
     * as {@link #withLock} does if any of the locks is lost.
     *
     * @param request the locks, the ttl and the wait
     * @param action the work
     * @param <E> the exceptions of the work
     * @return true if the work was done; false if one of the locks was held all the time and nothing was done
     * @throws E if the work failed
     * @throws InterruptedException if the thread was interrupted while it waited; nothing was done
     */
    public <E extends Exception> boolean withLocks(MultiLockRequest request, MultiLockAction<E> action)
            throws E, InterruptedException {
        Objects.requireNonNull(action, "The action is null");
        Optional<HeldLocks> acquired = acquireAll(request);
        if (acquired.isPresent()) {
            new WithLock(acquirer.work()).under(acquired.get().all(), () -> {
                action.run(acquired.get());
                return true;
            });
        }
        return acquired.isPresent();
    }

    /**
     * Returns the lock that guards the work which this thread runs: that of {@link #withLock}, {@link #callWithLock},
     * {@link #call}, {@link #withLocks}, or of {@link #reentrant()}. For code that may be called under the lock or not. No
     * round trip.
     *
     * @param name the name of the lock
     * @return the handle of that work, which it releases at its end; empty if no work under this lock runs on this thread,
     *     or the lock was released or lost
     */
    public Optional<HeldLock> guardingWork(LockName name) {
        return acquirer.work().guarding(Objects.requireNonNull(name, "The name of the lock is null"));
    }

    /**
     * Returns the re-entrant view of this client's locks: the same owner can enter a held lock again. No round trip.
     *
     * @return the one view of this client
     */
    public ReentrantLocks reentrant() {
        return reentrant;
    }

    /**
     * Returns a lock with the interface of {@code java.util.concurrent}, for the threads of this client. No round trip.
     *
     * @param request the name and the ttl, usually with keep-alive; its wait is not used
     * @return the lock; another one for the same name is the same lock to a thread
     */
    public DistributedLock asLock(LockRequest request) {
        return reentrant.asLock(requireRequest(request));
    }

    /**
     * Reads a lock. One round trip; a fault that passes is retried for the time of one command. The result may be outdated
     * when it is read.
     *
     * @param name the name of the lock
     * @return the stored state, or empty if the lock was never used or has been cleaned up
     * @throws LockException if the server refused or gave no reply
     * @throws InterruptedException if the thread was interrupted
     */
    public Optional<LockSnapshot> inspect(LockName name) throws InterruptedException {
        Objects.requireNonNull(name, "The name of the lock is null");
        return sessions.run("Inspecting", name, () -> engine.inspect(name));
    }

    /**
     * Reads a lock, as {@link #inspect(LockName)} does.
     *
     * @param name the name of the lock
     * @return the stored state, or empty if the lock was never used or has been cleaned up
     * @throws IllegalArgumentException if the name is out of bounds; see {@link LockName}
     * @throws LockException if the server refused or gave no reply
     * @throws InterruptedException if the thread was interrupted
     */
    public Optional<LockSnapshot> inspect(String name) throws InterruptedException {
        return inspect(LockName.of(name));
    }

    /**
     * Lists locks, a page at a time. One round trip, with retries as {@link #inspect(LockName)}. The server scans the names in order, so a query that matches few
     * names may take long in a large collection, at most the time limit of a command.
     *
     * @param query the filter and the cursor
     * @return the locks as {@link #inspect} shows them; of documents of other strategies only the names
     * @throws LockException if the server refused or gave no reply
     * @throws InterruptedException if the thread was interrupted
     */
    public LockPage list(LockQuery query) throws InterruptedException {
        Objects.requireNonNull(query, "The query is null");
        return sessions.run(LockTask.of("Listing locks", settings), () -> engine.list(query));
    }

    /**
     * Force-releases a lock, if nothing has changed since {@link #inspect} or {@link #list}. The holder detects the
     * loss at its next renewal, and its fencing token is smaller than any later one. For operators: nothing stops the
     * work of the holder. It is logged as a warning, with the instance of this client.
     *
     * @param seen the lock as {@link #inspect} or {@link #list} showed it
     * @return true if the lock was released; false if it has changed since
     * @throws LockException if the server refused or gave no reply
     * @throws InterruptedException if the thread was interrupted
     */
    public boolean forceRelease(LockSnapshot seen) throws InterruptedException {
        LockName name = Objects.requireNonNull(seen, "The snapshot is null").name();
        return sessions.run("Force-releasing", name, () -> engine.forceRelease(seen));
    }

    /**
     * Raises tokens after lock documents were restored from a backup, dropped or renamed, so that no token is granted
     * twice. After it, every lock that the query selects, and that has a document, grants tokens larger than
     * {@code floor}. One round trip for each page of the query ({@link LockQuery#limit}) and one more for each page in
     * which some token is smaller. A lock that is held with a smaller token is force-released: its holder detects the
     * loss at its next renewal, as after {@link #forceRelease}. After an exception some may have been raised; it is
     * safe to repeat the call.
     *
     * @param query the locks; all of its pages
     * @param floor the least token, from 1 to {@link Lease#MAX_RAISED_TOKEN}, which leaves room for later grants: the
     *     largest that the protected data can have seen
     * @return the number of documents that were raised; {@code transactional} counts a counter and a lock document each
     * @throws IllegalArgumentException if {@code floor} is out of bounds
     * @throws LockException if the server refused or gave no reply
     * @throws InterruptedException if the thread was interrupted
     */
    public long raiseTokens(LockQuery query, long floor) throws InterruptedException {
        Objects.requireNonNull(query, "The query is null");
        Lease.requireFloor(floor);
        return sessions.run(
                LockTask.of("Raising tokens", settings),
                () -> settings.strategy().raiseTokens(query, floor));
    }

    /**
     * Returns the strategy of this client.
     *
     * @return the strategy
     */
    public LockStrategy strategy() {
        return settings.strategy();
    }

    /**
     * Returns the state of this client: whether it is closed, its change stream and the offset of the clocks. No round
     * trip; it never blocks, and may be called on any thread, also after the client was closed.
     *
     * @return the state
     */
    public ClientStatus status() {
        return engine.status();
    }

    /**
     * Closes this client at once. It acquires nothing more: a call that waits for a lock fails with
     * {@link ClientClosedException}. <b>Work that still runs under a lock is neither stopped nor awaited</b>, while
     * other owners can acquire the lock: stop the work before, or use {@link #close(Duration)}. Its locks are lost to
     * their holders ({@link LossReason#CLIENT_CLOSED}) and released on the server. All its threads and sessions end;
     * the driver's client stays open.
     *
     * <p>Closing takes as long as the commands in flight, one more for each lock, and the running listeners, but no
     * longer than {@linkplain Builder#closeTimeout the limit}, even if the server does not reply: a lock that could not
     * be released stays held until its ttl has passed. An interrupt ends the wait for listeners, not that for the
     * releases, and is kept for later. A listener may call this method; it is not awaited then. Further calls only wait
     * for the releases of the first, within the same limit or until an interrupt.
     */
    @Override
    public void close() {
        shutdown.close();
    }

    /**
     * Closes this client when its work is done. It acquires nothing more, as after {@link #close()}. Locks that are
     * held stay held, and are renewed, until they are released, at most for the given time. Then the client reports the
     * loss of those that are left ({@link LossReason#CLIENT_CLOSED}) and interrupts the threads that run work under
     * them, by {@link #withLock}, {@link #callWithLock}, {@link #call} or {@link #withLocks}; these calls throw
     * {@link LockLostException} when their work ends. Interrupted work gets up to half of
     * {@linkplain Builder#closeTimeout the limit for closing} to end before its locks are released; then the client
     * closes as {@link #close()} does.
     *
     * <p>Work that ignores its interrupt, and work under a handle of {@link #acquire}, may still run when its lock is
     * released. An interrupt of the calling thread ends the wait for the work, and is kept for later. Do not call this
     * in guarded work, which would wait for itself.
     *
     * @param drain how long to wait for the work, zero or more
     * @throws IllegalArgumentException if the time is negative
     */
    public void close(Duration drain) {
        shutdown.drain(HoldRegistry.drainTime(drain));
    }

    private <R extends @Nullable Object, E extends Exception> R work(HeldLock lock, LockedCallable<R, E> work)
            throws E {
        return new WithLock(acquirer.work()).under(List.of(lock), () -> work.call(lock));
    }

    private static <T> T requireRequest(T request) {
        return Objects.requireNonNull(request, "The request is null");
    }

    private void prepare() throws InterruptedException {
        LockTask task = LockTask.of("Preparing a client", settings);
        List<String> warnings = sessions.run(task, () -> new ClientStartup(settings).start());
        warnings.forEach(warning -> LOG.log(WARNING, warning));
    }

    /** A builder of a {@link LockClient}. Not thread-safe. */
    public static final class Builder extends LockClientBuilder<Builder> {
        private final MongoClient mongo;
        private final String database;

        private Builder(MongoClient mongo, String database) {
            this.mongo = mongo;
            this.database = database;
        }

        @Override
        protected Builder self() {
            return this;
        }

        /**
         * Builds the client. Where this method's {@link InterruptedException} is in the way, for example in a bean
         * definition, declare it. The server must be reachable: there is no lazy start, so that a wrong setting shows
         * at start-up. It reads the server's description, checks whether any one document of the collection is of
         * another strategy, sends an update pipeline that matches nothing if the strategy needs pipelines, reads the
         * options and indexes of the strategy's collections, and creates missing collections and indexes unless
         * configured otherwise: four round trips, three without that pipeline, one more for each collection that exists,
         * one more through a router, and one more for each collection and index that is created.
         *
         * @return the client
         * @throws IllegalStateException if no strategy was chosen, and the class path has none, or several; or if the
         *     driver is older than 5.2
         * @throws UnsupportedServerException if the server lacks what the strategy needs; the message says what to do
         * @throws LockFormatException if the collection has documents of another strategy or version
         * @throws LockSchemaException if locks are not exclusive or not safe in a collection as it is, for example
         *     because of its default collation; or if the schema is to be validated, and part of it is missing
         * @throws LockException if the server refused or gave no reply
         * @throws InterruptedException if the thread was interrupted
         */
        public LockClient build() throws InterruptedException {
            LockClient client = new LockClient(new Sessions(mongo, database, settings()), requestFactory());
            client.prepare();
            return client;
        }
    }
}
