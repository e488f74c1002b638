package org.mongolocks.sync;

import static java.lang.System.Logger.Level.WARNING;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.mongolocks.ClientSettings;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.UnsupportedServerException;
import org.mongolocks.internal.Acquisition;
import org.mongolocks.internal.Failures;
import org.mongolocks.internal.Hold;
import org.mongolocks.internal.Preparation;
import org.mongolocks.internal.WriteGuard;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Step;

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

    private final MongoClient mongo;
    private final MongoDatabase database;
    private final ClientSettings settings;
    private final WriteGuard guard = new WriteGuard();
    private volatile boolean closed;

    private LockClient(MongoClient mongo, String database, ClientSettings settings) {
        this.mongo = mongo;
        this.database = SyncPort.durable(mongo.getDatabase(database), settings);
        this.settings = settings;
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
     * faults.
     *
     * @param request what to acquire
     * @return the held lock, or empty if another holds it
     * @throws IndeterminateLockException if replies were lost and the attempt could not be taken back
     * @throws LockException if the server refused or gave no answer; nothing is held
     * @throws InterruptedException if the thread was interrupted; what was acquired by then has been given back. A
     *     command that is under way is awaited first, at most for its time limit: reading a socket does not end at an
     *     interrupt.
     * @throws IllegalStateException if this client is closed
     */
    public Optional<HeldLock> tryAcquire(LockRequest request) throws InterruptedException {
        return acquire(new LockRequest(request.name(), request.ttl(), Duration.ZERO));
    }

    /**
     * Asks for a lock, and waits while another holds it, as long as the request says. It begins no attempt after that
     * time; an attempt under way then takes at most the time limits of its commands, and as long again if it got no
     * answer and has to be taken back.
     *
     * @param request what to acquire, and how long to wait
     * @return the held lock, or empty if another held it all the time
     * @throws IndeterminateLockException if replies were lost and the attempt could not be taken back
     * @throws LockException if the server refused or gave no answer; nothing is held
     * @throws InterruptedException if the thread was interrupted; what was acquired by then has been given back. A
     *     command that is under way is awaited first, at most for its time limit: reading a socket does not end at an
     *     interrupt.
     * @throws IllegalStateException if this client is closed
     */
    public Optional<HeldLock> acquire(LockRequest request) throws InterruptedException {
        requireOpen();
        Acquisition acquisition = new Acquisition(settings, request, settings.newOwner());
        String task = task("Acquiring", request.name());
        try (StepRunner runner = open()) {
            return held(task, acquire(runner, task, acquisition));
        }
    }

    /**
     * Does work under a lock, and gives the lock back whatever happens. The lock is not renewed: the work should take
     * much less than its ttl, or renew it.
     *
     * @param request what to acquire, and how long to wait
     * @param action the work
     * @param <E> what the work may throw
     * @return true if the work was done; false if another held the lock all the time and nothing was done
     * @throws E if the work failed
     * @throws LockLostException if the work was done, but the lock was lost before its end
     * @throws LockException as {@link #acquire} does, and then nothing was done. A release that fails after work that
     *     was done in time is not thrown but logged; the lock stays until its ttl has passed.
     * @throws InterruptedException if the thread was interrupted while it waited; nothing was done
     */
    public <E extends Exception> boolean withLock(LockRequest request, LockedAction<E> action)
            throws E, InterruptedException {
        Optional<HeldLock> acquired = acquire(request);
        if (acquired.isEmpty()) {
            return false;
        }
        work(acquired.get(), action);
        return true;
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
        return run("Inspecting", name, () -> settings.strategy().inspect(name));
    }

    /**
     * Takes a lock from its holder, if nothing has changed since {@link #inspect}. The holder learns of it at its next
     * renewal, and its fencing token is smaller than any later one. For operators: nothing stops what the holder is
     * doing.
     *
     * @param seen what {@link #inspect} showed
     * @return true if the lock was freed; false if it has changed since
     * @throws LockException if the server refused or gave no answer
     * @throws InterruptedException if the thread was interrupted
     */
    public boolean forceRelease(LockSnapshot seen) throws InterruptedException {
        return run("Forcing free", seen.name(), () -> settings.strategy().forceRelease(seen));
    }

    /**
     * Gives the strategy of this client.
     *
     * @return the strategy
     */
    public LockStrategy strategy() {
        return settings.strategy();
    }

    /** Ends this client: it acquires nothing more. The driver's client stays open. */
    @Override
    public void close() {
        closed = true;
    }

    ClientSettings settings() {
        return settings;
    }

    <R> R run(String verb, LockName name, Supplier<Step<R>> program) throws InterruptedException {
        try (StepRunner runner = open()) {
            return runner.run(task(verb, name), program);
        }
    }

    <R> R runUninterruptibly(String verb, LockName name, Supplier<Step<R>> program) {
        try (StepRunner runner = open()) {
            return runner.runUninterruptibly(task(verb, name), program);
        }
    }

    private static <E extends Exception> void work(HeldLock lock, LockedAction<E> action)
            throws E, InterruptedException {
        boolean done = false;
        try {
            action.run(lock);
            done = true;
        } finally {
            if (!done) {
                lock.close();
            }
        }
        lock.finish();
    }

    private static LockOutcome acquire(StepRunner runner, String task, Acquisition acquisition)
            throws InterruptedException {
        try {
            return runner.run(task, acquisition::start);
        } catch (InterruptedException | RuntimeException e) {
            takeBack(runner, task, acquisition, e);
            throw e;
        }
    }

    private static void takeBack(StepRunner runner, String task, Acquisition acquisition, Exception cutShort) {
        if (acquisition.mayHold()) {
            try {
                runner.runUninterruptibly(task + " was cut short; releasing it", acquisition::takeBack);
            } catch (RuntimeException e) {
                cutShort.addSuppressed(e);
                LOG.log(WARNING, "What may have been acquired stays until its ttl has passed", e);
            }
        }
    }

    private Optional<HeldLock> held(String task, LockOutcome outcome) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            return Optional.of(new HeldLock(this, new Hold(acquired.lease(), settings.time())));
        }
        if (outcome instanceof LockOutcome.Indeterminate unknown) {
            throw new IndeterminateLockException(task + " got no answer, and could not be taken back", unknown);
        }
        return Optional.empty();
    }

    private StepRunner open() {
        ClientSession session = mongo.startSession(StepRunner.SESSION);
        return new StepRunner(session, new SyncPort(database, settings, session, guard));
    }

    private String task(String verb, LockName name) {
        return Failures.task(verb, name, settings.strategy());
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("This lock client is closed");
        }
    }

    private void prepare() throws InterruptedException {
        String task = "Preparing a client for strategy '" + settings.strategy().name() + "'";
        try (StepRunner runner = open()) {
            Preparation preparation = new Preparation(settings.strategy());
            List<String> warnings = runner.run(task, () -> preparation.start(settings.schema()));
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
         * Builds the client. It asks the server what it is, and creates collections and indexes that are missing unless
         * told otherwise: two round trips, one more for each collection and index.
         *
         * @return the client
         * @throws IllegalStateException if no strategy was chosen
         * @throws UnsupportedServerException if the server lacks what the strategy needs; the message says what to do
         * @throws LockException if the server refused or gave no answer
         * @throws InterruptedException if the thread was interrupted
         */
        public LockClient build() throws InterruptedException {
            LockClient client = new LockClient(mongo, database, settings());
            client.prepare();
            return client;
        }
    }
}
