package org.mongolocks.sync;

import static java.lang.System.Logger.Level.WARNING;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.mongolocks.CheckReturnValue;
import org.mongolocks.ClientClosedException;
import org.mongolocks.ClientStatus;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.Lease;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockException;
import org.mongolocks.LockInterruptedException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.TokenWentBackException;
import org.mongolocks.internal.base.DatabaseName;
import org.mongolocks.internal.engine.ClientEngine;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.HoldRegistry;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.schema.ClientStartup;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.sync.HeldLock.LockedCallable;
import org.mongolocks.sync.HeldLocks.MultiLockAction;

/**
 * A client that acquires locks with the synchronous driver. Build one for each strategy and collection, and share it:
 * it is thread-safe.
 *
 * <pre>{@code
 * LockClient locks = LockClient.create(mongo, "app");
 *
 * Receipt receipt = locks.callWithLock("invoice-42", lock -> bill(lock)); // throws if another owner holds it
 * boolean done = locks.tryWithLock("invoice-42", lock -> print(lock));    // false if another owner holds it
 *
 * locks.close(); // at shutdown, before the driver's client
 * }</pre>
 *
 * <p>{@link LockOperations} has the methods that acquire one lock. The defaults of its requests are those of the builder:
 * {@link LockClientBuilder#defaultTtl} and {@link LockClientBuilder#defaultWait}. A lock is kept alive until it is released, unless its request
 * says otherwise; see {@link LockRequest}.
 *
 * <p>Locks are not re-entrant. Work that acquires, on its own thread, the lock that guards it ({@link #withLock}, for
 * example) gets an {@link IllegalStateException} instead of waiting for itself: use {@link #reentrant}. So does a
 * thread that has locked it by {@link #asLock}. Work does not wait for a lock that its thread holds by a handle of
 * {@link #acquire}: it is contended at once. Another handle is waited for, because another thread may release the
 * first; the message of {@link LockContendedException} says so.
 */
public final class LockClient implements LockOperations, AutoCloseable {
    private final ClientSettings settings;
    private final Sessions sessions;
    private final ClientEngine engine;
    private final ClientShutdown shutdown;
    private final Acquirer acquirer;
    private final ReentrantAcquirer entries;
    private final Function<String, LockRequest> requests;

    private LockClient(Sessions sessions, Function<String, LockRequest> requests) {
        this.settings = sessions.settings();
        this.requests = requests;
        this.sessions = sessions;
        this.engine = sessions.engine();
        this.acquirer = new Acquirer(sessions);
        this.shutdown = new ClientShutdown(sessions);
        this.entries = new ReentrantAcquirer(sessions, acquirer);
    }

    /**
     * Creates a client with the default settings: the only strategy on the class path, or {@code findandmodify-counter} if
     * there are several. The {@linkplain #builder builder} names another one, and has all other settings.
     *
     * @param mongo the driver's client; see {@link #builder}
     * @param database the database of the lock documents
     * @return the client; see {@link LockClientBuilder#build} for what is sent and checked
     * @throws IllegalStateException as {@link LockClientBuilder#build} does
     * @throws LockException as {@link LockClientBuilder#build} does
     */
    public static LockClient create(MongoClient mongo, String database) {
        return builder(mongo, database).build();
    }

    /**
     * Creates a builder of a client.
     *
     * @param mongo the driver's client, or a proxy below which another one may replace it; the caller closes it, after
     *     this one. Whatever its own concerns are, locks are written with majority and journalled write concern and read
     *     from the primary.
     * @param database the database of the lock documents
     * @return a builder
     * @throws IllegalArgumentException if no database can have that name
     */
    public static LockClientBuilder<LockClient> builder(MongoClient mongo, String database) {
        Objects.requireNonNull(mongo, "The driver's client is null");
        DatabaseName.require(database);
        return new ClientOptions<>(options -> {
            LockClient client =
                    new LockClient(new Sessions(mongo, database, options.settings()), options.requestFactory());
            client.prepare();
            return client;
        });
    }

    @Override
    public LockRequest request(String name) {
        return requests.apply(Objects.requireNonNull(name, "The name of the lock is null"));
    }

    @Override
    public Optional<HeldLock> tryAcquire(LockRequest request) throws InterruptedException {
        return acquirer.tryAcquire(requireRequest(request)).map(hold -> HeldLock.ofCaller(sessions, hold));
    }

    @Override
    public HeldLock acquire(LockRequest request) throws InterruptedException {
        return HeldLock.ofCaller(sessions, acquirer.acquire(requireRequest(request)));
    }

    /**
     * Acquires several locks, all or none, and waits at most for the wait of the request while one of them is held; see
     * {@link MultiLockRequest} for the steps. An interrupt or a failure has the same effects as in {@link #tryAcquire},
     * and leaves nothing held.
     *
     * @param request the locks, the ttl and the wait
     * @return the held locks, each with at least two thirds of its lease left; or empty if one was held all the time
     * @throws IndeterminateOutcomeException if some may be held until their ttl has passed, because replies were lost
     * @throws TokenWentBackException as {@link #tryAcquire} does
     * @throws LockException if the server refused or gave no reply, or if a lock was lost before all were held
     * @throws InterruptedException if the thread was interrupted
     */
    @CheckReturnValue
    public Optional<HeldLocks> tryAcquireAll(MultiLockRequest request) throws InterruptedException {
        return acquirer.tryAcquireAll(requireRequest(request)).map(holds -> HeldLocks.of(sessions, holds));
    }

    /**
     * Acquires several locks as {@link #tryAcquireAll} does, and throws an exception if one of them is held.
     *
     * @param request the locks, the ttl and the wait
     * @return the held locks
     * @throws LockContendedException if one was held all the time; the message names its holder
     * @throws LockException as {@link #tryAcquireAll} does
     * @throws InterruptedException if the thread was interrupted
     */
    public HeldLocks acquireAll(MultiLockRequest request) throws InterruptedException {
        return HeldLocks.of(sessions, acquirer.acquireAll(requireRequest(request)));
    }

    @Override
    public <R, E extends Exception> Optional<R> tryCallWithLock(LockRequest request, LockedCallable<R, E> work)
            throws E, InterruptedException {
        Objects.requireNonNull(work, "The work is null");
        Optional<Hold> acquired = acquirer.tryAcquire(acquirer.forWork(requireRequest(request)));
        return new WithLock(acquirer.work()).call(acquired.map(hold -> new HeldLock(sessions, hold)), work);
    }

    @Override
    public <R extends @Nullable Object, E extends Exception> R callWithLock(
            LockRequest request, LockedCallable<R, E> work) throws E, InterruptedException {
        Objects.requireNonNull(work, "The work is null");
        Hold acquired = acquirer.acquire(acquirer.forWork(requireRequest(request)));
        return new WithLock(acquirer.work()).call(new HeldLock(sessions, acquired), work);
    }

    /**
     * Runs work under several locks, and releases all of them in every case. It fails as {@link #acquireAll} does, and
     * as {@link #withLock} does if any of the locks is lost.
     *
     * @param request the locks, the ttl and the wait
     * @param action the work
     * @param <E> the exceptions of the work
     * @throws E if the work failed
     * @throws LockContendedException if one of the locks was held all the time; nothing was done
     * @throws InterruptedException if the thread was interrupted while it waited; nothing was done
     */
    public <E extends Exception> void withLocks(MultiLockRequest request, MultiLockAction<E> action)
            throws E, InterruptedException {
        Objects.requireNonNull(action, "The action is null");
        work(acquireAll(acquirer.forWork(requireRequest(request))), action);
    }

    /**
     * Runs work under several locks as {@link #withLocks} does, unless one of them is held.
     *
     * @param request the locks, the ttl and the wait
     * @param action the work
     * @param <E> the exceptions of the work
     * @return true if the work was done; false if one of the locks was held all the time and nothing was done
     * @throws E if the work failed
     * @throws InterruptedException if the thread was interrupted while it waited; nothing was done
     */
    @CheckReturnValue
    public <E extends Exception> boolean tryWithLocks(MultiLockRequest request, MultiLockAction<E> action)
            throws E, InterruptedException {
        Objects.requireNonNull(action, "The action is null");
        Optional<HeldLocks> acquired = tryAcquireAll(acquirer.forWork(requireRequest(request)));
        if (acquired.isPresent()) {
            work(acquired.get(), action);
        }
        return acquired.isPresent();
    }

    /**
     * Returns the lock that guards the work which this thread runs: that of {@link #withLock},
     * {@link #withLocks} and the like, also of {@link #reentrant}; or that this thread has locked by {@link #asLock}. For code that may be called under the lock or not. No
     * round trip.
     *
     * @param name the name of the lock
     * @return the handle of that work, which it releases at its end, or that of {@link DistributedLock#heldLock}; empty if
     *     this thread does neither, or the lock was released or lost
     */
    public Optional<HeldLock> currentLock(LockName name) {
        return acquirer.guarding(Objects.requireNonNull(name, "The name of the lock is null"));
    }

    /**
     * Returns the re-entrant view of this client's locks for one owner, who can enter a held lock again. No round trip.
     *
     * @param owner the owner: a value with {@code equals} and {@code hashCode} that do not change, for example the id
     *     of an order. It is known to this client only, and kept no longer than its locks.
     * @return the view, which belongs to this client
     */
    public ReentrantLocks reentrant(Object owner) {
        return new ReentrantLocks(this, acquirer, entries, owner);
    }

    /**
     * Returns a lock with the interface of {@code java.util.concurrent}, for the threads of this client. No round trip.
     *
     * @param request the name and the ttl; its wait is not used
     * @return the lock; another one for the same name is the same lock to a thread
     */
    public DistributedLock asLock(LockRequest request) {
        return new DistributedLock(sessions, entries, requireRequest(request));
    }

    /**
     * Reads a lock. One round trip; a fault that passes is retried for the time of one command. The result may be outdated
     * when it is read.
     *
     * @param name the name of the lock
     * @return the stored state, or empty if the lock was never used or has been cleaned up
     * @throws LockException if the server refused or gave no reply
     * @throws LockInterruptedException if the thread was interrupted
     */
    public Optional<LockSnapshot> inspect(LockName name) {
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
     * @throws LockInterruptedException if the thread was interrupted
     */
    public Optional<LockSnapshot> inspect(String name) {
        return inspect(LockName.of(name));
    }

    /**
     * Lists locks, a page at a time. One round trip, with retries as {@link #inspect(LockName)}. The server scans the names in order, so a query that matches few
     * names may take long in a large collection, at most the time limit of a command.
     *
     * @param query the filter and the cursor
     * @return the locks as {@link #inspect} shows them; of documents of other strategies only the names
     * @throws LockException if the server refused or gave no reply
     * @throws LockInterruptedException if the thread was interrupted
     */
    public LockPage list(LockQuery query) {
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
     * @throws LockInterruptedException if the thread was interrupted
     */
    public boolean forceRelease(LockSnapshot seen) {
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
     * @throws LockInterruptedException if the thread was interrupted
     */
    public long raiseTokens(LockQuery query, long floor) {
        Objects.requireNonNull(query, "The query is null");
        Lease.requireFloor(floor);
        return sessions.run(
                LockTask.of("Raising tokens", settings),
                () -> settings.strategy().raiseTokens(query, floor));
    }

    /** {@return the name of the strategy of this client, for example {@code findandmodify-counter}} */
    public String strategyName() {
        return settings.strategy().name();
    }

    /** {@return the capabilities and needs of the strategy of this client; unmodifiable} */
    public Set<Trait> traits() {
        return Set.copyOf(settings.strategy().traits());
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
     * Closes this client as {@link #close(Duration)} does, and waits for work as long as
     * {@link LockClientBuilder#drainTimeout} says; not at all in guarded work, which cannot end meanwhile.
     */
    @Override
    public void close() {
        shutdown.close();
    }

    /**
     * Closes this client when its work is done. It acquires nothing more: a call that waits for a lock fails with
     * {@link ClientClosedException}. Locks that are held stay held, are renewed, and can be entered again by their
     * owners, until they are released, at most for the given time. Those that are left then are lost to their holders
     * ({@link LossReason#CLIENT_CLOSED}), which interrupts the threads of work under {@link #withLock}, {@link #callWithLock} and the like; these calls throw
     * {@link LockLostException} when their work ends. Interrupted work gets up to half of
     * {@linkplain LockClientBuilder#closeTimeout the limit for closing} to end. Then the locks are released on the server, and all
     * threads and sessions of this client end; the driver's client stays open.
     *
     * <p><b>Work that ignores its interrupt, and work under a handle of {@link #acquire}, may still run when its lock is
     * released.</b> Do not wait for it in guarded work, which would wait for itself.
     *
     * <p>After the wait for work, closing takes as long as the commands in flight, one more for each lock, and the
     * running listeners. It takes no longer than {@linkplain LockClientBuilder#closeTimeout the limit}, even if the
     * server does not reply. Releases are repeated until then, and a lock that could not be released stays held until
     * its ttl has passed. An interrupt of the calling thread ends the wait for work and for listeners, not that for the
     * releases, and is kept for later. A listener may call this method; it is not awaited then. A further call that
     * waits less long for the work ends the wait of the others. After it, all but one of them only wait for the
     * releases of that one, within the same limit or until an interrupt.
     *
     * @param drain how long to wait for the work; zero closes at once
     * @throws IllegalArgumentException if the time is negative
     */
    public void close(Duration drain) {
        shutdown.close(HoldRegistry.drainTime(drain));
    }

    private <E extends Exception> void work(HeldLocks locks, MultiLockAction<E> action) throws E {
        new WithLock(acquirer.work()).under(locks.all(), () -> {
            action.run(locks);
            return true;
        });
    }

    private static <T> T requireRequest(T request) {
        return Objects.requireNonNull(request, "The request is null");
    }

    private void prepare() {
        LockTask task = LockTask.of("Preparing a client", settings);
        List<String> warnings = sessions.run(task, () -> new ClientStartup(settings).start());
        warnings.forEach(warning -> System.getLogger("org.mongolocks").log(WARNING, warning));
    }
}
