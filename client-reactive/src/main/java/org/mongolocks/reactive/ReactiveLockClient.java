package org.mongolocks.reactive;

import com.mongodb.reactivestreams.client.MongoClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.mongolocks.ClientSettings;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.Lease;
import org.mongolocks.LeaseSettings;
import org.mongolocks.LockClientBuilder;
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
import org.mongolocks.Timer;
import org.mongolocks.TokenWentBackException;
import org.mongolocks.UnsupportedServerException;
import org.mongolocks.internal.hold.HoldRegistry;
import org.mongolocks.internal.reentrant.ReentrantHolds;
import org.mongolocks.internal.run.LockExceptions;
import org.mongolocks.spi.LockStrategy;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A client that acquires locks with the reactive-streams driver, without blocking a thread. Build one for each strategy
 * and collection, and share it: it is thread-safe.
 *
 * <p>Nothing is sent before a subscription, and each subscriber starts its own operation. Signals arrive on the
 * driver's threads, or on the scheduler that waits: do not block there. Cancelling an acquisition releases the locks
 * acquired by then.
 *
 * <pre>{@code
 * ReactiveLockClient.builder(mongo, "app").strategy("findandmodify-counter").build()
 *         .flatMap(locks -> locks.withLock(
 *                 LockRequest.of("invoice-42", Duration.ofSeconds(30)), lock -> bill(lock.fencingToken())));
 * }</pre>
 */
public final class ReactiveLockClient implements AutoCloseable {
    private final ClientSettings settings;
    private final Sessions programs;
    private final HoldRegistry holds;
    private final Acquirer acquirer;
    private final ReactiveReentrantLocks reentrant;

    private ReactiveLockClient(Sessions programs, ClientSchedulers daemons) {
        this.settings = programs.settings();
        this.programs = programs;
        LeaseSettings holding = settings.holding();
        Timer timer = holding.timer().orElseGet(daemons::timer);
        Executor listeners = holding.listeners().orElseGet(daemons::listeners);
        programs.clocks().reportOn(listeners);
        this.holds = new HoldRegistry(settings, timer, listeners, daemons);
        programs.watch(holds);
        this.acquirer = new Acquirer(programs, holds);
        ReentrantHolds reentries = new ReentrantHolds(settings, holds, programs.room());
        this.reentrant = new ReactiveReentrantLocks(programs, acquirer, reentries);
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
        return new Builder(mongo, database);
    }

    /**
     * Makes one attempt to acquire a lock, whatever wait the request has. See the strategy for the round trips of an
     * attempt; more after faults, but not for longer than one command may take.
     *
     * @param request the lock and the ttl
     * @return emits the held lock, or nothing if another owner holds it. Fails as {@link #acquire} does, also with
     *     {@link TokenWentBackException}.
     */
    public Mono<ReactiveHeldLock> tryAcquire(LockRequest request) {
        return acquire(request.waitAtMost(Duration.ZERO));
    }

    /**
     * Acquires a lock, and waits while another owner holds it, at most for the wait of the request, counted from the
     * subscription. It emits at most one command timeout ({@link Builder#commandTimeout}) after that, even if the
     * server does not reply. A possible grant that could not be compensated by then is released in the background, and
     * {@link #closeLater} waits for that.
     *
     * <p>A cancellation at the very moment of the grant, for example by {@code timeout}, may come after the lock was
     * delivered; nothing releases it then, and it stays held until its ttl has passed, or until the client is closed if
     * it is kept alive. Bound the wait in the request instead, or use {@link #withLock}.
     *
     * @param request the lock, the ttl and the wait
     * @return emits the held lock, or nothing if another owner held it all the time. Fails with
     *     {@link IndeterminateLockException} if replies were lost and the attempt could not be compensated in time;
     *     with {@link TokenWentBackException} if the grant has a token that is not larger than an earlier one of this
     *     client, and the grant is released, or ends with its lease if the release got no reply; with
     *     {@link LockException} if the server refused or gave no reply, and nothing is held; with
     *     {@link IllegalStateException} if this client is closed.
     */
    public Mono<ReactiveHeldLock> acquire(LockRequest request) {
        return acquirer.acquire(request).map(hold -> new ReactiveHeldLock(programs, hold));
    }

    /**
     * Acquires several locks, all or none, and waits at most for the wait of the request while one of them is held; see
     * {@link MultiLockRequest} for the steps. Cancelling releases the locks acquired by then.
     *
     * @param request the locks, the ttl and the wait
     * @return emits the held locks, each with at least two thirds of its lease left; or nothing if one was held all the
     *     time. Fails with {@link IndeterminateLockException} if some may be held until their ttl has passed; with
     *     {@link TokenWentBackException} as {@link #acquire} does; with {@link LockException} if the server refused or
     *     gave no reply, or if a lock was lost before all were held; with {@link IllegalStateException} if this client
     *     is closed.
     */
    public Mono<ReactiveHeldLocks> acquireAll(MultiLockRequest request) {
        return acquirer.acquireAll(request);
    }

    /**
     * Runs work under a lock, and releases the lock in every case, also when the work is cancelled. When the lock is
     * lost the work is cancelled. Unless the request asks for {@linkplain LockRequest#keepAlive() keep-alive}, the work
     * should take much less than the ttl, or renew the lock.
     *
     * @param request the lock, the ttl and the wait
     * @param action returns the work; its elements are dropped
     * @return emits true if the work was done; false if another owner held the lock all the time and nothing was done.
     *     Fails with the error of the work; with {@link LockLostException} if the lock was lost before the end of the
     *     work; and as {@link #acquire} does, and then nothing was done. A release that fails after work that was done
     *     in time is logged; the lock stays held until its ttl has passed.
     */
    public Mono<Boolean> withLock(LockRequest request, Function<ReactiveHeldLock, ? extends Publisher<?>> action) {
        return Mono.usingWhen(
                        acquire(request),
                        lock -> WithLock.under(List.of(lock), () -> action.apply(lock)),
                        ReactiveHeldLock::close)
                .defaultIfEmpty(false);
    }

    /**
     * Runs work under several locks, and releases all of them in every case. When one is lost the work is cancelled.
     *
     * @param request the locks, the ttl and the wait
     * @param action returns the work; its elements are dropped
     * @return emits true if the work was done; false if one was held all the time. Fails as {@link #withLock} does if
     *     any was lost, and as {@link #acquireAll} does.
     */
    public Mono<Boolean> withLocks(
            MultiLockRequest request, Function<ReactiveHeldLocks, ? extends Publisher<?>> action) {
        return Mono.usingWhen(
                        acquireAll(request),
                        locks -> WithLock.under(locks.all(), () -> action.apply(locks)),
                        ReactiveHeldLocks::close)
                .defaultIfEmpty(false);
    }

    /**
     * Returns the re-entrant view of this client's locks: the same owner can enter a held lock again.
     *
     * @return the one view of this client; no round trip
     */
    public ReactiveReentrantLocks reentrant() {
        return reentrant;
    }

    /**
     * Reads a lock. One round trip. The result may be outdated when it is read.
     *
     * @param name the name of the lock
     * @return emits the stored state, or nothing if the lock was never used or has been cleaned up. Fails with
     *     {@link LockException} if the server refused or gave no reply.
     */
    public Mono<LockSnapshot> inspect(LockName name) {
        return programs.run("Inspecting", name, () -> settings.strategy().inspect(name))
                .flatMap(Mono::justOrEmpty);
    }

    /**
     * Lists locks, a page at a time. One round trip. The server scans the names in order, so a query that matches few
     * names may take long in a large collection, at most the time limit of a command.
     *
     * @param query the filter and the cursor
     * @return emits the locks as {@link #inspect} shows them; of documents of other strategies only the names. Fails
     *     with {@link LockException} if the server refused or gave no reply.
     */
    public Mono<LockPage> list(LockQuery query) {
        return programs.run(
                LockExceptions.task("Listing locks", settings),
                () -> () -> settings.strategy().list(query));
    }

    /**
     * Force-releases a lock, if nothing has changed since {@link #inspect} or {@link #list}. The holder detects the
     * loss at its next renewal, and its fencing token is smaller than any later one. For operators: nothing stops the
     * work of the holder.
     *
     * @param seen the lock as {@link #inspect} or {@link #list} showed it
     * @return emits true if the lock was released; false if it has changed since. Fails with {@link LockException} if
     *     the server refused or gave no reply.
     */
    public Mono<Boolean> forceRelease(LockSnapshot seen) {
        LockName name = seen.name();
        return programs.runToEnd(
                "Force-releasing",
                name,
                () -> programs.room().notifyingWaiters(name, settings.strategy().forceRelease(seen)));
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
     * @param floor the least token, from 1: the largest that the protected data can have seen
     * @return emits the number of documents that were raised; {@code transactional} counts a counter and a lock
     *     document each. Fails with {@link LockException} if the server refused or gave no reply.
     * @throws IllegalArgumentException if {@code floor} is less than 1
     */
    public Mono<Long> raiseTokens(LockQuery query, long floor) {
        Lease.requireToken(floor);
        return programs.run(
                LockExceptions.task("Raising tokens", settings),
                () -> () -> settings.strategy().raiseTokens(query, floor));
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
     * Closes this client. It acquires nothing more: a subscriber that waits for a lock gets an
     * {@link IllegalStateException}. Its locks are lost to their holders ({@link LossReason#CLIENT_CLOSED}) and
     * released on the server. It waits for the compensation of cancelled acquisitions, so that the driver's client,
     * which stays open, can be closed next. The schedulers stay open.
     *
     * <p>Closing takes as long as the commands in flight, and one more for each lock, but no longer than
     * {@linkplain Builder#closeTimeout the limit}, even if the server does not reply: a lock that could not be released
     * stays held until its ttl has passed. Cancelling ends the wait, not the closing.
     *
     * @return completes when that is done or the time is over; it never fails. The closing begins with the
     *     subscription.
     */
    public Mono<Void> closeLater() {
        return new ClientShutdown(programs, holds).close();
    }

    /**
     * Closes this client as {@link #closeLater()} does, and waits for it; on a thread that must not block it only
     * starts the closing.
     */
    @Override
    public void close() {
        if (Schedulers.isInNonBlockingThread()) {
            closeLater().subscribe();
        } else {
            closeLater().block();
        }
    }

    /** A builder of a {@link ReactiveLockClient}. Not thread-safe. */
    public static final class Builder extends LockClientBuilder<Builder> {
        private final MongoClient mongo;
        private final String database;
        private Scheduler scheduler = Schedulers.parallel();

        private Builder(MongoClient mongo, String database) {
            this.mongo = mongo;
            this.database = database;
        }

        @Override
        protected Builder self() {
            return this;
        }

        /**
         * Sets the scheduler for the waits between attempts and for the ends of leases. The default is
         * {@link Schedulers#parallel()}.
         *
         * @param waiting the scheduler; the client does not dispose it
         * @return this
         */
        public Builder scheduler(Scheduler waiting) {
            this.scheduler = waiting;
            return this;
        }

        /**
         * Builds the client. It reads the server's description, checks whether any one document of the collection is of
         * another strategy, reads the options and indexes of the strategy's collections, and creates missing
         * collections and indexes unless configured otherwise: three round trips, one more for each collection that
         * exists, one more through a router, and one more for each collection and index that is created.
         *
         * @return emits the client. Fails with {@link UnsupportedServerException} if the server lacks what the strategy
         *     needs, with a message that says what to do; with {@link LockFormatException} if the collection has
         *     documents of another strategy or version; with {@link LockSchemaException} if locks are not exclusive or
         *     not safe in a collection as it is, for example because of its default collation, or if the schema is to
         *     be validated, and part of it is missing; with {@link LockException} if the server refused or gave no
         *     reply.
         * @throws IllegalStateException if no strategy was chosen
         */
        public Mono<ReactiveLockClient> build() {
            ClientSettings settings = settings();
            Sessions programs = Sessions.of(mongo.getDatabase(database), mongo, settings, scheduler);
            ClientSchedulers daemons = new ClientSchedulers(programs, scheduler);
            return Mono.defer(() -> programs.prepare().thenReturn(new ReactiveLockClient(programs, daemons)));
        }
    }
}
