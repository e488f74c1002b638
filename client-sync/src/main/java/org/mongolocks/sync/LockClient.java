package org.mongolocks.sync;

import static java.lang.System.Logger.Level.WARNING;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
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
import org.mongolocks.internal.Preparation;
import org.mongolocks.internal.Reentries;
import org.mongolocks.spi.LockStrategy;

/**
 * Acquires locks with the synchronous driver. Build one for each strategy and collection, and share it: it is
 * thread-safe.
 *
 * <pre>{@code
 * try (LockClient locks = LockClient.builder(mongo, "app").strategy("findandmodify-counter").build()) {
 *     locks.withLock(LockRequest.of("invoice-42", Duration.ofSeconds(30)), lock -> bill(lock.fencingToken()));
 * }
 * }</pre>
 */
public final class LockClient implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final ClientSettings settings;
    private final Sessions sessions;
    private final Daemons daemons;
    private final Holds holds;
    private final Acquirer acquirer;
    private final ReentrantLocks reentrant;

    private LockClient(Sessions sessions) {
        this.settings = sessions.settings();
        this.sessions = sessions;
        this.daemons = new Daemons(sessions);
        HoldingSettings holding = settings.holding();
        Timer timer = holding.timer().orElseGet(daemons::timer);
        Executor listeners = holding.listeners().orElseGet(daemons::listeners);
        sessions.clocks().reportOn(listeners);
        this.holds = new Holds(settings, timer, listeners, daemons);
        sessions.watch(holds);
        this.acquirer = new Acquirer(sessions, holds, daemons.returns());
        this.reentrant = new ReentrantLocks(sessions, acquirer, new Reentries(settings, holds, sessions.room()));
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
     * @return the held lock, or empty if another holds it
     * @throws IndeterminateLockException if replies were lost and the attempt could not be taken back in time
     * @throws TokenWentBackException if the grant has a token that is not larger than an earlier one of this client; the
     *     grant is released, or ends with its lease if the release got no answer
     * @throws LockException if the server refused or gave no answer; nothing is held
     * @throws InterruptedException if the thread was interrupted; what was acquired by then has been given back. A
     *     command that is under way is awaited first, at most for its time limit: reading a socket does not end at an
     *     interrupt.
     * @throws IllegalStateException if this client is closed
     */
    public Optional<HeldLock> tryAcquire(LockRequest request) throws InterruptedException {
        return acquire(request.waitAtMost(Duration.ZERO));
    }

    /**
     * Asks for a lock, and waits while another holds it, as long as the request says. It answers at most one time limit
     * of a command ({@link Builder#commandTimeout}) later, also if the server does not. What may have been granted and
     * could not be taken back by then is released in the background, and {@link #close} waits for that.
     *
     * @param request what to acquire, and how long to wait
     * @return the held lock, or empty if another held it all the time
     * @throws IndeterminateLockException if replies were lost and the attempt could not be taken back in time
     * @throws TokenWentBackException if the grant has a token that is not larger than an earlier one of this client; the
     *     grant is released, or ends with its lease if the release got no answer
     * @throws LockException if the server refused or gave no answer; nothing is held
     * @throws InterruptedException if the thread was interrupted; what was acquired by then has been given back. A
     *     command that is under way is awaited first, at most for its time limit: reading a socket does not end at an
     *     interrupt.
     * @throws IllegalStateException if this client is closed
     */
    public Optional<HeldLock> acquire(LockRequest request) throws InterruptedException {
        return acquirer.acquire(request, new Patience.Interruptible()).map(hold -> new HeldLock(sessions, hold));
    }

    /**
     * Asks for several locks, all or none, and waits as long as the request says while one of them is held; see
     * {@link LockSetRequest} for how. It interrupts and fails as {@link #acquire} does, and then nothing is held.
     *
     * @param request what to acquire, and how long to wait
     * @return the held locks, each with at least two thirds of its lease left; or empty if one was held all the time
     * @throws IndeterminateLockException if some may be held until their ttl has passed, because replies were lost
     * @throws TokenWentBackException as {@link #acquire} does
     * @throws LockException if the server refused or gave no answer, or if a lock was lost before all were held
     * @throws InterruptedException if the thread was interrupted
     */
    public Optional<HeldLocks> acquireAll(LockSetRequest request) throws InterruptedException {
        return acquirer.acquireAll(request).map(holds -> HeldLocks.of(sessions, holds));
    }

    /**
     * Does work under a lock, and gives the lock back whatever happens. Unless the request asks for
     * {@linkplain LockRequest#keepAlive() keep-alive}, the work should take much less than the ttl, or renew the lock.
     * Work that has itself {@linkplain HeldLock#interruptOnLoss() interrupted} when the lock is lost ends with
     * {@link LockLostException} then, whether it notices the interrupt or not, and the thread is not interrupted any more.
     *
     * @param request what to acquire, and how long to wait
     * @param action the work
     * @param <E> what the work may throw
     * @return true if the work was done; false if another held the lock all the time and nothing was done
     * @throws E if the work failed
     * @throws LockLostException if the work was done, but the lock was lost before its end; or if the loss interrupted
     *     the work, with what the work threw then as the cause
     * @throws LockException as {@link #acquire} does, and then nothing was done. A release that fails after work that
     *     was done in time is not thrown but logged; the lock stays until its ttl has passed.
     * @throws InterruptedException if the thread was interrupted while it waited; nothing was done
     */
    public <E extends Exception> boolean withLock(LockRequest request, LockedAction<E> action)
            throws E, InterruptedException {
        Optional<HeldLock> acquired = acquire(request);
        if (acquired.isPresent()) {
            Work.under(List.of(acquired.get()), () -> action.run(acquired.get()));
        }
        return acquired.isPresent();
    }

    /**
     * Does work under several locks, and gives all of them back whatever happens. It fails as {@link #acquireAll} does,
     * and as {@link #withLock} does if any of the locks is lost.
     *
     * @param request what to acquire, and how long to wait
     * @param action the work
     * @param <E> what the work may throw
     * @return true if the work was done; false if one of the locks was held all the time and nothing was done
     * @throws E if the work failed
     * @throws InterruptedException if the thread was interrupted while it waited; nothing was done
     */
    public <E extends Exception> boolean withLocks(LockSetRequest request, LockedSetAction<E> action)
            throws E, InterruptedException {
        Optional<HeldLocks> acquired = acquireAll(request);
        if (acquired.isPresent()) {
            Work.under(acquired.get().all(), () -> action.run(acquired.get()));
        }
        return acquired.isPresent();
    }

    /**
     * Gives the locks of this client as locks that the same owner can enter again. No round trip.
     *
     * @return the one view of this client
     */
    public ReentrantLocks reentrant() {
        return reentrant;
    }

    /**
     * Gives a lock as {@code java.util.concurrent} knows it, for the threads of this client. No round trip.
     *
     * @param request the name and the ttl, with keep-alive as a rule; its wait is not used
     * @return the lock; another one for the same name is the same lock to a thread
     */
    public DistributedLock asLock(LockRequest request) {
        return reentrant.asLock(request);
    }

    /**
     * Looks at a lock. One round trip. What it says is history by the time it is read.
     *
     * @param name what is locked
     * @return what is stored, or empty if the lock was never used or has been cleaned up
     * @throws LockException if the server refused or gave no answer
     * @throws InterruptedException if the thread was interrupted
     */
    public Optional<LockSnapshot> inspect(LockName name) throws InterruptedException {
        return sessions.run("Inspecting", name, () -> settings.strategy().inspect(name));
    }

    /**
     * Lists locks, a page at a time. One round trip. The server goes through the names in order, so a query that few
     * names match may take long in a large collection, at most the time limit of a command.
     *
     * @param query which locks
     * @return the locks as {@link #inspect} shows them; documents of other strategies are only named
     * @throws LockException if the server refused or gave no answer
     * @throws InterruptedException if the thread was interrupted
     */
    public LockPage list(LockQuery query) throws InterruptedException {
        return sessions.run("Listing locks", () -> settings.strategy().list(query));
    }

    /**
     * Takes a lock from its holder, if nothing has changed since {@link #inspect} or {@link #list}. The holder learns of it at its next
     * renewal, and its fencing token is smaller than any later one. For operators: nothing stops what the holder is
     * doing.
     *
     * @param seen what {@link #inspect} or {@link #list} showed
     * @return true if the lock was freed; false if it has changed since
     * @throws LockException if the server refused or gave no answer
     * @throws InterruptedException if the thread was interrupted
     */
    public boolean forceRelease(LockSnapshot seen) throws InterruptedException {
        LockName name = seen.name();
        return sessions.run(
                "Forcing free",
                name,
                () -> sessions.room().freeing(name, settings.strategy().forceRelease(seen)));
    }

    /**
     * Raises tokens after lock documents were restored from a backup, dropped or renamed, so that no token is given twice.
     * After it, every lock that the query selects, and that has a document, grants larger tokens than the floor. One round
     * trip for each page of the query ({@link LockQuery#limit}) and one more for each page in which some token is smaller.
     * A lock that is held with a smaller token is forced free: its holder learns of it at its next renewal, as from
     * {@link #forceRelease}. After an exception some may have been raised; it is safe to call it again.
     *
     * @param query which locks; all of its pages
     * @param floor the least token, from 1: what the protected data has seen at most
     * @return how many documents were raised; {@code transactional} counts a counter and a lock document each
     * @throws IllegalArgumentException if the floor is less than 1
     * @throws LockException if the server refused or gave no answer
     * @throws InterruptedException if the thread was interrupted
     */
    public long raiseTokens(LockQuery query, long floor) throws InterruptedException {
        Lease.requireToken(floor);
        return sessions.run("Raising tokens", () -> settings.strategy().raiseTokens(query, floor));
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
     * holds is lost to its holders ({@link LossReason#CLIENT_CLOSED}) and given back to the server. All its threads and
     * sessions end; the driver's client stays open.
     *
     * <p>That takes as long as the commands under way, one more for each lock, and listeners that are being told, but no
     * longer than {@linkplain Builder#closeTimeout the limit}, also if the server is gone: what could not be given back
     * stays until its ttl has passed. An interrupt ends the waiting and is kept for later. A listener may call this; it
     * is not waited for then. Closing again does nothing.
     */
    @Override
    public void close() {
        new Closing(sessions, holds, daemons).close();
    }

    private void prepare() throws InterruptedException {
        String task = Failures.task("Preparing a client", settings);
        try (StepRunner runner = sessions.open()) {
            List<String> warnings = runner.run(task, () -> new Preparation(settings).start());
            warnings.forEach(warning -> LOG.log(WARNING, warning));
        }
    }

    /** Builds a {@link LockClient}. Not thread-safe. */
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
         * Builds the client. It asks the server what it is, looks whether any one document of the collection is another
         * strategy's, looks at the options and indexes of the strategy's collections, and creates collections and indexes
         * that are missing unless told otherwise: three round trips, one more for each collection that exists, one more
         * through a router, and one more for each collection and index that is created.
         *
         * @return the client
         * @throws IllegalStateException if no strategy was chosen
         * @throws UnsupportedServerException if the server lacks what the strategy needs; the message says what to do
         * @throws LockFormatException if the collection has documents of another strategy or version
         * @throws LockSchemaException if locks are not exclusive or not safe in a collection as it is, for example
         *     because of its default collation; or if the schema is to be validated, and something of it is missing
         * @throws LockException if the server refused or gave no answer
         * @throws InterruptedException if the thread was interrupted
         */
        public LockClient build() throws InterruptedException {
            LockClient client = new LockClient(new Sessions(mongo, database, settings()));
            client.prepare();
            return client;
        }
    }
}
