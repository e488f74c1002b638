package org.mongolocks.reactive;

import com.mongodb.reactivestreams.client.MongoClient;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.mongolocks.ClientClosedException;
import org.mongolocks.ClientStatus;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.Lease;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockException;
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
import org.mongolocks.internal.hold.HoldRegistry;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.LockStrategy.Trait;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A client that acquires locks with the reactive-streams driver, without blocking a thread. Build one for each strategy
 * and collection, and share it: it is thread-safe.
 *
 * <p>Nothing is sent before a subscription, and each subscriber starts its own operation. Signals arrive on the
 * driver's threads, where nothing may block, or on threads of this client. Cancelling an acquisition releases the locks
 * acquired by then.
 *
 * <pre>{@code
 * ReactiveLockClient locks = ReactiveLockClient.create(mongo, "app").block();
 *
 * Mono<Receipt> receipt = locks.callWithLock("invoice-42", lock -> bill(lock)); // fails if another owner holds it
 * Mono<Boolean> done = locks.tryWithLock("invoice-42", lock -> print(lock));    // false if another owner holds it
 * }</pre>
 *
 * <p>{@link ReactiveLockOperations} has the methods that acquire one lock. The defaults of its requests are those of the
 * builder: {@link LockClientBuilder#defaultTtl} and {@link LockClientBuilder#defaultWait}. A lock is kept alive until it is released, unless its
 * request says otherwise; see {@link LockRequest}.
 *
 * <p>Locks are not re-entrant. To acquire, in the chain of the work, a lock that guards this very work (that of
 * {@link #withLock}, for example) fails with {@link IllegalStateException} instead of waiting for itself, while the lock
 * is held: use {@link #reentrant}. It is detected by the subscriber context of the work, so that work with a subscription
 * of its own is not recognized, nor a lock that is held by a handle of {@link #acquire}.
 */
public final class ReactiveLockClient implements ReactiveLockOperations, AutoCloseable {
    private final ClientSettings settings;
    private final Sessions programs;
    private final ClientEngine engine;
    private final Acquirer acquirer;
    private final Function<String, LockRequest> requests;

    private ReactiveLockClient(Sessions programs, Function<String, LockRequest> requests) {
        this.requests = requests;
        this.settings = programs.settings();
        this.programs = programs;
        this.engine = programs.engine();
        this.acquirer = new Acquirer(programs);
    }

    /**
     * Creates a client with the default settings: the only strategy on the class path, or {@code findandmodify-counter} if
     * there are several. The {@linkplain #builder builder} names another one, and has all other settings.
     *
     * @param mongo the driver's client; see {@link #builder}
     * @param database the database of the lock documents
     * @return emits a client of its own to each subscriber; see {@link LockClientBuilder#build}
     * @throws IllegalStateException as {@link LockClientBuilder#build} does
     */
    public static Mono<ReactiveLockClient> create(MongoClient mongo, String database) {
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
    public static LockClientBuilder<Mono<ReactiveLockClient>> builder(MongoClient mongo, String database) {
        Objects.requireNonNull(mongo, "The driver's client is null");
        DatabaseName.require(database);
        return new ClientOptions<>(options -> {
            Supplier<ClientSettings> settings = options.settingsOfEach();
            Function<String, LockRequest> requests = options.requestFactory();
            return ClientThreads.afterPreparation(Mono.defer(() -> {
                Sessions programs = new Sessions(mongo, database, settings.get());
                return programs.prepare().thenReturn(new ReactiveLockClient(programs, requests));
            }));
        });
    }

    @Override
    public LockRequest request(String name) {
        return requests.apply(Objects.requireNonNull(name, "The name of the lock is null"));
    }

    @Override
    public Mono<ReactiveHeldLock> tryAcquire(LockRequest request) {
        return acquirer.tryAcquire(requireRequest(request)).map(hold -> new ReactiveHeldLock(programs, hold));
    }

    @Override
    public Mono<ReactiveHeldLock> acquire(LockRequest request) {
        return acquirer.acquire(requireRequest(request)).map(hold -> new ReactiveHeldLock(programs, hold));
    }

    /**
     * Acquires several locks, all or none, and waits at most for the wait of the request while one of them is held; see
     * {@link MultiLockRequest} for the steps. Cancelling releases the locks acquired by then.
     *
     * @param request the locks, the ttl and the wait
     * @return emits the held locks, each with at least two thirds of its lease left; or nothing if one was held all the
     *     time. Fails with {@link IndeterminateOutcomeException} if some may be held until their ttl has passed. Fails
     *     with {@link TokenWentBackException} as {@link #tryAcquire} does. Fails with {@link LockException} if the
     *     server refused or gave no reply, or if a lock was lost before all were held. Fails with
     *     {@link ClientClosedException} if this client is closed.
     */
    public Mono<ReactiveHeldLocks> tryAcquireAll(MultiLockRequest request) {
        return acquirer.tryAcquireAll(requireRequest(request));
    }

    /**
     * Acquires several locks as {@link #tryAcquireAll} does, and fails if one of them is held.
     *
     * @param request the locks, the ttl and the wait
     * @return emits the held locks. Fails with {@link LockContendedException} if one was held all the time; and as
     *     {@link #tryAcquireAll} does.
     */
    public Mono<ReactiveHeldLocks> acquireAll(MultiLockRequest request) {
        return acquirer.acquireAll(requireRequest(request));
    }

    @Override
    public <R> Mono<R> tryCallWithLock(LockRequest request, Function<ReactiveHeldLock, Mono<R>> work) {
        Objects.requireNonNull(work, "The work is null");
        return acquirer.work().under(tryAcquire(request), work).name(named("tryCallWithLock", request));
    }

    @Override
    public <R> Mono<R> callWithLock(LockRequest request, Function<ReactiveHeldLock, Mono<R>> work) {
        Objects.requireNonNull(work, "The work is null");
        return acquirer.work().under(acquire(request), work).name(named("callWithLock", request));
    }

    /**
     * Runs work under several locks, and releases all of them in every case. When one is lost the work is cancelled.
     *
     * @param request the locks, the ttl and the wait
     * @param action returns the work; its elements are dropped
     * @return completes at the end of the work. Fails as {@link #withLock} does if any was lost, and as
     *     {@link #acquireAll} does.
     */
    public Mono<Void> withLocks(MultiLockRequest request, Function<ReactiveHeldLocks, ? extends Publisher<?>> action) {
        return work(acquireAll(request), action).then();
    }

    /**
     * Runs work under several locks as {@link #withLocks} does, unless one of them is held.
     *
     * @param request the locks, the ttl and the wait
     * @param action returns the work; its elements are dropped
     * @return emits true if the work was done; false if one was held all the time. Fails as {@link #withLocks} does,
     *     except for a contended lock.
     */
    public Mono<Boolean> tryWithLocks(
            MultiLockRequest request, Function<ReactiveHeldLocks, ? extends Publisher<?>> action) {
        return work(tryAcquireAll(request), action).defaultIfEmpty(false);
    }

    private Mono<Boolean> work(
            Mono<ReactiveHeldLocks> acquired, Function<ReactiveHeldLocks, ? extends Publisher<?>> action) {
        Objects.requireNonNull(action, "The action is null");
        return acquirer.work().underAll(acquired, locks -> WithLock.done(action.apply(locks)));
    }

    /**
     * Returns the lock that guards the work in whose chain it is subscribed to: that of {@link #withLock},
     * {@link #withLocks} and the like, also of {@link #reentrant}. For code that may be called under the lock or not. No
     * round trip.
     *
     * @param name the name of the lock
     * @return emits the handle of that work, which it releases at its end; empty if the chain is of no work under this
     *     lock, or the lock was released or lost
     */
    public Mono<ReactiveHeldLock> currentLock(LockName name) {
        return acquirer.work().guarding(Objects.requireNonNull(name, "The name of the lock is null"));
    }

    /**
     * Returns the re-entrant view of this client's locks for one owner, who can enter a held lock again. No round trip.
     *
     * @param owner the owner: a value with {@code equals} and {@code hashCode} that do not change, for example the id
     *     of an order. It is known to this client only, and kept no longer than its locks.
     * @return the view, which belongs to this client
     */
    public ReactiveReentrantLocks reentrant(Object owner) {
        return new ReactiveReentrantLocks(this, programs, acquirer, owner);
    }

    /**
     * Reads a lock. One round trip; a fault that passes is retried for the time of one command. The result may be outdated
     * when it is read.
     *
     * @param name the name of the lock
     * @return emits the stored state, or nothing if the lock was never used or has been cleaned up. Fails with
     *     {@link LockException} if the server refused or gave no reply.
     */
    public Mono<LockSnapshot> inspect(LockName name) {
        Objects.requireNonNull(name, "The name of the lock is null");
        return programs.run("Inspecting", name, () -> engine.inspect(name)).flatMap(Mono::justOrEmpty);
    }

    /**
     * Reads a lock, as {@link #inspect(LockName)} does.
     *
     * @param name the name of the lock
     * @return emits the stored state, or nothing if the lock was never used or has been cleaned up. Fails with
     *     {@link LockException} if the server refused or gave no reply.
     * @throws IllegalArgumentException if the name is out of bounds; see {@link LockName}
     */
    public Mono<LockSnapshot> inspect(String name) {
        return inspect(LockName.of(name));
    }

    /**
     * Lists locks, a page at a time. One round trip, with retries as {@link #inspect(LockName)}. The server scans the names in order, so a query that matches few
     * names may take long in a large collection, at most the time limit of a command.
     *
     * @param query the filter and the cursor
     * @return emits the locks as {@link #inspect} shows them; of documents of other strategies only the names. Fails
     *     with {@link LockException} if the server refused or gave no reply.
     */
    public Mono<LockPage> list(LockQuery query) {
        Objects.requireNonNull(query, "The query is null");
        return programs.run(LockTask.of("Listing locks", settings), () -> () -> engine.list(query));
    }

    /**
     * Force-releases a lock, if nothing has changed since {@link #inspect} or {@link #list}. The holder detects the
     * loss at its next renewal, and its fencing token is smaller than any later one. For operators: nothing stops the
     * work of the holder. It is logged as a warning, with the instance of this client.
     *
     * @param seen the lock as {@link #inspect} or {@link #list} showed it
     * @return emits true if the lock was released; false if it has changed since. Fails with {@link LockException} if
     *     the server refused or gave no reply.
     */
    public Mono<Boolean> forceRelease(LockSnapshot seen) {
        LockName name = Objects.requireNonNull(seen, "The snapshot is null").name();
        return programs.runToEnd("Force-releasing", name, () -> engine.forceRelease(seen));
    }

    /**
     * Raises tokens after lock documents were restored from a backup, dropped or renamed, so that no token is granted
     * twice. After it, every lock that the query selects, and that has a document, grants tokens larger than
     * {@code floor}. One round trip for each page of the query ({@link LockQuery#limit}) and one more for each page in
     * which some token is smaller. A lock that is held with a smaller token is force-released: its holder detects the
     * loss at its next renewal, as after {@link #forceRelease}. After a failure some may have been raised; it is safe
     * to repeat the call.
     *
     * @param query the locks; all of its pages
     * @param floor the least token, from 1 to {@link Lease#MAX_RAISED_TOKEN}, which leaves room for later grants: the
     *     largest that the protected data can have seen
     * @return emits the number of documents that were raised; {@code transactional} counts a counter and a lock
     *     document each. Fails with {@link LockException} if the server refused or gave no reply.
     * @throws IllegalArgumentException if {@code floor} is out of bounds
     */
    public Mono<Long> raiseTokens(LockQuery query, long floor) {
        Objects.requireNonNull(query, "The query is null");
        Lease.requireFloor(floor);
        return programs.run(
                LockTask.of("Raising tokens", settings),
                () -> () -> settings.strategy().raiseTokens(query, floor));
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
     * Closes this client as {@link #closeLater(Duration)} does, and waits for work as long as
     * {@link LockClientBuilder#drainTimeout} says.
     *
     * @return completes when all is done or the time is over; it never fails
     */
    public Mono<Void> closeLater() {
        return closeLater(settings.holding().drainTimeout());
    }

    /**
     * Closes this client when its work is done. It acquires nothing more: a subscriber that waits for a lock gets a
     * {@link ClientClosedException}. Locks that are held stay held, are renewed, and can be entered again by their
     * owners, until they are released, at most for the given time. Those that are left then are lost to their holders
     * ({@link LossReason#CLIENT_CLOSED}): work under {@link #withLock}, {@link #callWithLock} and the like is
     * cancelled, and these fail with {@link LockLostException}. <b>Other work is not stopped</b>, while other owners
     * can acquire the lock. Then the locks are released on the server. It waits for the compensation of cancelled
     * acquisitions, so that the driver's client, which stays open, can be closed next. Its threads end when their tasks
     * have ended.
     *
     * <p>After the wait for work, closing takes as long as the commands in flight, and one more for each lock. It takes
     * no longer than {@linkplain LockClientBuilder#closeTimeout the limit}, even if the server does not reply. Releases
     * are repeated until then, and a lock that could not be released stays held until its ttl has passed. Cancelling
     * ends the wait, not the closing. A further call that waits less long for the work ends the wait of the others; all
     * wait for the releases, within the same limit. In the work that a lock guards, close with {@link Duration#ZERO}:
     * the work would wait for itself.
     *
     * @param drain how long to wait for the work; zero closes at once
     * @return completes when all is done or the time is over; it never fails. The closing begins with the subscription,
     *     and goes on after a cancellation.
     * @throws IllegalArgumentException if the time is negative
     */
    public Mono<Void> closeLater(Duration drain) {
        return new ClientShutdown(programs).close(HoldRegistry.drainTime(drain));
    }

    /**
     * Closes this client as {@link #closeLater(Duration)} does, and waits for it; on a thread that must not block it
     * only starts the closing. An interrupt ends the wait for the work, not that for the releases, and is kept for later.
     *
     * @param drain how long to wait for the work; zero closes at once
     * @throws IllegalArgumentException if the time is negative
     */
    public void close(Duration drain) {
        await(closeLater(drain));
    }

    /** Closes this client as {@link #close(Duration)} does, and waits for work as {@link #closeLater()} does. */
    @Override
    public void close() {
        await(closeLater());
    }

    private void await(Mono<Void> closing) {
        CompletableFuture<Void> closed = closing.toFuture();
        if (Schedulers.isInNonBlockingThread()) {
            return;
        }
        try {
            closed.get();
        } catch (InterruptedException e) {
            closeLater(Duration.ZERO).toFuture().join();
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("A lock client could not be closed", e.getCause());
        }
    }

    /** The message of a time-out shows it. */
    private static String named(String method, LockRequest request) {
        return method + "(" + request.name() + ")";
    }

    private static <T> T requireRequest(T request) {
        return Objects.requireNonNull(request, "The request is null");
    }
}
