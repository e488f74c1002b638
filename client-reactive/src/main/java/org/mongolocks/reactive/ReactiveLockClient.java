package org.mongolocks.reactive;

import com.mongodb.reactivestreams.client.MongoClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.mongolocks.ClientSettings;
import org.mongolocks.HoldingSettings;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.Lease;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockException;
import org.mongolocks.LockFormatException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSchemaException;
import org.mongolocks.LockSetRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.Timer;
import org.mongolocks.TokenWentBackException;
import org.mongolocks.UnsupportedServerException;
import org.mongolocks.internal.Failures;
import org.mongolocks.internal.Holds;
import org.mongolocks.internal.Reentries;
import org.mongolocks.spi.LockStrategy;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Acquires locks with the reactive-streams driver, without blocking a thread. Build one for each strategy and
 * collection, and share it: it is thread-safe.
 *
 * <p>Nothing is sent before something is subscribed, and each subscriber has its work done anew. Signals come on the
 * driver's threads, or on the scheduler that waits: do not block there. Cancelling an acquisition gives back what was
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
    private final Programs programs;
    private final Holds holds;
    private final Acquirer acquirer;
    private final ReactiveReentrantLocks reentrant;

    private ReactiveLockClient(Programs programs, Daemons daemons) {
        this.settings = programs.settings();
        this.programs = programs;
        HoldingSettings holding = settings.holding();
        Timer timer = holding.timer().orElseGet(daemons::timer);
        Executor listeners = holding.listeners().orElseGet(daemons::listeners);
        programs.clocks().reportOn(listeners);
        this.holds = new Holds(settings, timer, listeners, daemons);
        programs.watch(holds);
        this.acquirer = new Acquirer(programs, holds);
        Reentries reentries = new Reentries(settings, holds, programs.room());
        this.reentrant = new ReactiveReentrantLocks(programs, acquirer, reentries);
    }

    /**
     * Begins to build a client.
     *
     * @param mongo the driver's client; it stays the caller's, who closes it after this one. Whatever its own concerns
     *     are, locks are written with majority and journalled write concern and read from the primary.
     * @param database the database of the lock documents
     * @return a builder
     */
    public static Builder builder(MongoClient mongo, String database) {
        return new Builder(mongo, database);
    }

    /**
     * Asks for a lock once, whatever wait the request has. One attempt: see the strategy for its round trips; more after
     * faults, but not for longer than one command may take.
     *
     * @param request what to acquire
     * @return emits the held lock, or nothing if another holds it. Fails as {@link #acquire} does, also with
     *     {@link TokenWentBackException}.
     */
    public Mono<ReactiveHeldLock> tryAcquire(LockRequest request) {
        return acquire(request.waitAtMost(Duration.ZERO));
    }

    /**
     * Asks for a lock, and waits while another holds it, as long as the request says, counted from the subscription. It
     * answers at most one time limit of a command ({@link Builder#commandTimeout}) later, also if the server does not.
     * What may have been granted and could not be taken back by then is released in the background, and
     * {@link #closeLater} waits for that.
     *
     * <p>A cancellation that comes in the very moment of the grant, as by {@code timeout}, may find the lock handed over
     * already; nobody gives it back then, and it stays until its ttl has passed, or the client is closed if it is kept
     * alive. Bound the wait in the request instead, or use {@link #withLock}.
     *
     * @param request what to acquire, and how long to wait
     * @return emits the held lock, or nothing if another held it all the time. Fails with
     *     {@link IndeterminateLockException} if replies were lost and the attempt could not be taken back in time; with
     *     {@link TokenWentBackException} if the grant has a token that is not larger than an earlier one of this client, and
     *     the grant is released, or ends with its lease if the release got no answer; with
     *     {@link LockException} if the server refused or gave no answer, and nothing is held; with
     *     {@link IllegalStateException} if this client is closed.
     */
    public Mono<ReactiveHeldLock> acquire(LockRequest request) {
        return acquirer.acquire(request).map(hold -> new ReactiveHeldLock(programs, hold));
    }

    /**
     * Asks for several locks, all or none, and waits as long as the request says while one of them is held; see
     * {@link LockSetRequest} for how. Cancelling gives back what was acquired by then.
     *
     * @param request what to acquire, and how long to wait
     * @return emits the held locks, each with at least two thirds of its lease left; or nothing if one was held all the
     *     time. Fails with {@link IndeterminateLockException} if some may be held until their ttl has passed; with
     *     {@link TokenWentBackException} as {@link #acquire} does; with {@link LockException} if the
     *     server refused or gave no answer, or if a lock was lost before all were held; with {@link IllegalStateException} if this client is closed.
     */
    public Mono<ReactiveHeldLocks> acquireAll(LockSetRequest request) {
        return acquirer.acquireAll(request);
    }

    /**
     * Does work under a lock, and gives the lock back whatever happens, also when the work is cancelled. When the lock is
     * lost the work is cancelled. Unless the request asks for {@linkplain LockRequest#keepAlive() keep-alive}, the work
     * should take much less than the ttl, or renew the lock.
     *
     * @param request what to acquire, and how long to wait
     * @param action gives the work; what it emits is dropped
     * @return emits true if the work was done; false if another held the lock all the time and nothing was done. Fails
     *     with what the work failed with; with {@link LockLostException} if the lock was lost before the end of the work;
     *     and as {@link #acquire} does, and then nothing was done. A release that fails after work that was done in time
     *     is logged; the lock stays until its ttl has passed.
     */
    public Mono<Boolean> withLock(LockRequest request, Function<ReactiveHeldLock, ? extends Publisher<?>> action) {
        return Mono.usingWhen(
                        acquire(request),
                        lock -> Work.under(List.of(lock), () -> action.apply(lock)),
                        ReactiveHeldLock::close)
                .defaultIfEmpty(false);
    }

    /**
     * Does work under several locks, and gives all of them back whatever happens. When one is lost the work is cancelled.
     *
     * @param request what to acquire, and how long to wait
     * @param action gives the work; what it emits is dropped
     * @return emits true if the work was done; false if one was held all the time. Fails as {@link #withLock} does if any
     *     was lost, and as {@link #acquireAll} does.
     */
    public Mono<Boolean> withLocks(LockSetRequest request, Function<ReactiveHeldLocks, ? extends Publisher<?>> action) {
        return Mono.usingWhen(
                        acquireAll(request),
                        locks -> Work.under(locks.all(), () -> action.apply(locks)),
                        ReactiveHeldLocks::close)
                .defaultIfEmpty(false);
    }

    /**
     * Gives the locks of this client as locks that the same owner can enter again.
     *
     * @return the one view of this client; no round trip
     */
    public ReactiveReentrantLocks reentrant() {
        return reentrant;
    }

    /**
     * Looks at a lock. One round trip. What it says is history by the time it is read.
     *
     * @param name what is locked
     * @return emits what is stored, or nothing if the lock was never used or has been cleaned up. Fails with
     *     {@link LockException} if the server refused or gave no answer.
     */
    public Mono<LockSnapshot> inspect(LockName name) {
        return programs.run("Inspecting", name, () -> settings.strategy().inspect(name))
                .flatMap(Mono::justOrEmpty);
    }

    /**
     * Lists locks, a page at a time. One round trip. The server goes through the names in order, so a query that few
     * names match may take long in a large collection, at most the time limit of a command.
     *
     * @param query which locks
     * @return emits the locks as {@link #inspect} shows them; documents of other strategies are only named. Fails with
     *     {@link LockException} if the server refused or gave no answer.
     */
    public Mono<LockPage> list(LockQuery query) {
        return programs.run(
                Failures.task("Listing locks", settings),
                () -> () -> settings.strategy().list(query));
    }

    /**
     * Takes a lock from its holder, if nothing has changed since {@link #inspect} or {@link #list}. The holder learns of it at its next
     * renewal, and its fencing token is smaller than any later one. For operators: nothing stops what the holder is
     * doing.
     *
     * @param seen what {@link #inspect} or {@link #list} showed
     * @return emits true if the lock was freed; false if it has changed since. Fails with {@link LockException} if the
     *     server refused or gave no answer.
     */
    public Mono<Boolean> forceRelease(LockSnapshot seen) {
        LockName name = seen.name();
        return programs.runToEnd(
                "Forcing free",
                name,
                () -> programs.room().freeing(name, settings.strategy().forceRelease(seen)));
    }

    /**
     * Raises tokens after lock documents were restored from a backup, dropped or renamed, so that no token is given twice.
     * After it, every lock that the query selects, and that has a document, grants larger tokens than the floor. One round
     * trip for each page of the query ({@link LockQuery#limit}) and one more for each page in which some token is smaller.
     * A lock that is held with a smaller token is forced free: its holder learns of it at its next renewal, as from
     * {@link #forceRelease}. After a failure some may have been raised; it is safe to call it again.
     *
     * @param query which locks; all of its pages
     * @param floor the least token, from 1: what the protected data has seen at most
     * @return emits how many documents were raised; {@code transactional} counts a counter and a lock document each. Fails
     *     with {@link LockException} if the server refused or gave no answer.
     * @throws IllegalArgumentException if the floor is less than 1
     */
    public Mono<Long> raiseTokens(LockQuery query, long floor) {
        Lease.requireToken(floor);
        return programs.run(
                Failures.task("Raising tokens", settings),
                () -> () -> settings.strategy().raiseTokens(query, floor));
    }

    /**
     * Gives the strategy of this client.
     *
     * @return the strategy
     */
    public LockStrategy strategy() {
        return settings.strategy();
    }

    /**
     * Ends this client. It acquires nothing more: whoever waits for a lock gets an {@link IllegalStateException}. What it
     * holds is lost to its holders ({@link LossReason#CLIENT_CLOSED}) and given back to the server. Acquisitions that were
     * cancelled and are being taken back are waited for, so that the driver's client, which stays open, can be closed
     * next. The schedulers stay their owners'.
     *
     * <p>That takes as long as the commands under way, and one more for each lock, but no longer than
     * {@linkplain Builder#closeTimeout the limit}, also if the server is gone: what could not be given back stays until
     * its ttl has passed. Cancelling ends the waiting, not the closing.
     *
     * @return completes when that is done or the time is over; it never fails. The closing begins when it is subscribed.
     */
    public Mono<Void> closeLater() {
        return new Closing(programs, holds).close();
    }

    /**
     * Ends this client as {@link #closeLater()} does, and waits for it; on a thread that must not block it only begins.
     */
    @Override
    public void close() {
        if (Schedulers.isInNonBlockingThread()) {
            closeLater().subscribe();
        } else {
            closeLater().block();
        }
    }

    /** Builds a {@link ReactiveLockClient}. Not thread-safe. */
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
         * Sets what waits between attempts, and for the ends of leases. The default is {@link Schedulers#parallel()}.
         *
         * @param waiting the scheduler; it stays the caller's
         * @return this
         */
        public Builder scheduler(Scheduler waiting) {
            this.scheduler = waiting;
            return this;
        }

        /**
         * Builds the client. It asks the server what it is, looks whether any one document of the collection is another
         * strategy's, looks at the options and indexes of the strategy's collections, and creates collections and indexes
         * that are missing unless told otherwise: three round trips, one more for each collection that exists, one more
         * through a router, and one more for each collection and index that is created.
         *
         * @return emits the client. Fails with {@link UnsupportedServerException} if the server lacks what the strategy
         *     needs, and says what to do; with {@link LockFormatException} if the collection has documents of another
         *     strategy or version; with {@link LockSchemaException} if locks are not exclusive or not safe in a collection
         *     as it is, for example because of its default collation, or if the schema is to be validated, and something
         *     of it is missing; with {@link LockException} if the server refused or gave no answer.
         * @throws IllegalStateException if no strategy was chosen
         */
        public Mono<ReactiveLockClient> build() {
            ClientSettings settings = settings();
            Programs programs = Programs.of(mongo.getDatabase(database), mongo, settings, scheduler);
            Daemons daemons = new Daemons(programs, scheduler);
            return Mono.defer(() -> programs.prepare().thenReturn(new ReactiveLockClient(programs, daemons)));
        }
    }
}
