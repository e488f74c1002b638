package org.mongolocks.internal.hold;

import static org.mongolocks.spi.Reply.Fault.NOT_SENT;
import static org.mongolocks.spi.Reply.Fault.TRANSIENT;
import static org.mongolocks.spi.Reply.Fault.UNSUPPORTED;
import static org.mongolocks.spi.Reply.Fault.WRITE_CONFLICT;

import com.mongodb.MongoException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.Lease;
import org.mongolocks.LockLostException;
import org.mongolocks.LockLostListener;
import org.mongolocks.LockName;
import org.mongolocks.LockStorageException;
import org.mongolocks.internal.run.FaultClassifier;
import org.mongolocks.internal.run.LeaseTimes;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.TimeBudget.FaultRetry;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.MongoOp.Transaction;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * The protocol of one transaction that a lock guards. One object serves one call, on one thread at a time; between its
 * programs, all in one session, the caller runs the user's work.
 *
 * <ol>
 *   <li>{@link #pauseRenewals()}: renewals of this lock stop, until {@link #resumeRenewals()}.
 *   <li>{@link #startTransaction()}: a transaction begins with a renewal of the lock. It matches only while the lock is
 *       held, and writes the lock document: a concurrent acquisition, forced release or clean-up then waits for the end
 *       of the transaction, or conflicts with it. No match: the lock is lost.
 *   <li>The work. When it fails with a transient error of the transaction, {@link #again} decides whether to open
 *       another. When it has ended the transaction itself, the run ends with {@link #endedByWork}.
 *   <li>{@link #commit()}, unless the lease has ended meanwhile. If the outcome of the commit is unknown, it is retried
 *   at most {@value #MAX_REPEATED_COMMITS} times, and not after the lease has ended. After a successful commit the
 *   renewed lease is in force.
 * </ol>
 */
public final class GuardedTransaction {
    /** How often a commit is retried when its outcome is unknown. The server commits a transaction only once. */
    static final int MAX_REPEATED_COMMITS = 3;

    /** MongoDB ends a transaction after this time; the driver gives a commit and an abort as long as this limit. */
    static final Duration MAX_LIMIT = Duration.ofSeconds(60);

    private static final Duration MIN_LIMIT = Duration.ofMillis(1);

    private final ClientSettings settings;
    private final Hold hold;
    private final BooleanSupplier isReleased;
    private final LockName name;
    private final FaultRetry faults;
    private Lease lease;
    private long startedNanos;
    private boolean outcomeUnknown;
    private final CompletableFuture<Void> quiet = new CompletableFuture<>();
    private final LockLostListener onLoss = (lost, reason) -> quiet.complete(null);

    public GuardedTransaction(ClientSettings settings, Hold hold) {
        this(settings, hold, () -> false);
    }

    /**
     * Creates the protocol for one transaction of a handle, which may be released while others of the lock are left.
     */
    public GuardedTransaction(ClientSettings settings, Hold hold, BooleanSupplier isReleased) {
        this.settings = settings;
        this.hold = hold;
        this.isReleased = isReleased;
        this.lease = hold.lease();
        this.name = lease.name();
        this.faults = new FaultRetry(settings, lease.validUntilNanos()).countingOverload();
    }

    /**
     * Begins: no renewal of this lock starts from now on.
     *
     * @return completes when none is in flight, or the lock is lost meanwhile
     * @throws LockLostException if the lock is lost
     * @throws IllegalStateException if it was released, or another transaction is open
     */
    public CompletableFuture<Void> pauseRenewals() {
        requireHeld();
        CompletableFuture<Void> unused = hold.gate().close(name).thenRun(() -> quiet.complete(null));
        hold.signalLoss(onLoss);
        return quiet;
    }

    /** Ends: the lock is renewed again. */
    public void resumeRenewals() {
        hold.removeSignal(onLoss);
        hold.gate().open();
    }

    /** Returns the time limit of a transaction: the rest of the lease, more than zero, up to a minute. */
    public Duration limit() {
        Duration left = hold.remaining();
        Duration least = left.compareTo(MIN_LIMIT) < 0 ? MIN_LIMIT : left;
        return least.compareTo(MAX_LIMIT) < 0 ? least : MAX_LIMIT;
    }

    /**
     * Returns the program that begins a transaction and renews the lock in it.
     *
     * @return a program that ends with the lease that the commit extends, and leaves the transaction open. It throws
     *     {@link LockLostException} and {@link LockStorageException}.
     */
    public Step<Lease> startTransaction() {
        requireHeld();
        lease = hold.lease();
        startedNanos = settings.time().nanoTime();
        return Step.call(
                boundary(Boundary.START),
                reply -> reply instanceof Reply.Failed failed
                        ? refused(failed)
                        : settings.strategy()
                                .renew(LeaseTimes.startingAt(lease, startedNanos, lease.ttl()))
                                .then(this::touched, this::refused));
    }

    /**
     * Returns the program that commits.
     *
     * @return a program that ends with true if the transaction is committed; false if it was rolled back and may be
     *     repeated, and another transaction may be
     *     opened. It throws {@link LockLostException}, and {@link IndeterminateOutcomeException} if the outcome is
     *     unknown.
     */
    public Step<Boolean> commit() {
        return hold.isHeld() && !isReleased.getAsBoolean() ? commit(MAX_REPEATED_COMMITS) : abort(this::refused);
    }

    /**
     * Returns the program to run when the work has failed: it aborts, waits, and ends with true if another transaction
     * may be opened.
     */
    public Step<Boolean> again(Throwable error) {
        Optional<MongoException> passing = FaultClassifier.causes(error)
                .filter(MongoException.class::isInstance)
                .map(MongoException.class::cast)
                .filter(e -> e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL))
                .findFirst();
        return abort(() -> passing.filter(e -> hold.isHeld())
                .map(e -> faults.retryOrElse(
                        new Reply.Failed(TRANSIENT, e), () -> Step.done(true), () -> Step.done(false)))
                .orElseGet(() -> Step.done(false)));
    }

    /** Throws a {@link LockLostException} if the lock is lost, with the failure of the work, if any, as its cause. */
    public void requireNotLost(@Nullable Throwable cause) {
        boolean held = hold.isHeld();
        if (!held && hold.loss().isPresent() && !(cause instanceof LockLostException)) {
            throw hold.lossException(cause);
        }
    }

    /** Creates the exception for work that has ended the transaction, so that what it writes is not guarded. */
    public IllegalStateException endedByWork() {
        return new IllegalStateException("The work has ended the transaction that lock '" + name + "' guards."
                + " It must neither commit nor abort it, nor close its session: inTransaction does that. What the work"
                + " has committed itself is written, and nothing else.");
    }

    private void requireHeld() {
        if (!isReleased.getAsBoolean()) {
            requireNotLost(null);
        }
        if (isReleased.getAsBoolean() || !hold.isHeld()) {
            throw hold.released("guard a transaction");
        }
    }

    /** The transaction must not continue without the lock. */
    private <R> Step<R> refused() {
        requireHeld();
        throw new IllegalStateException("Lock '" + name + "' was lost and is held");
    }

    private Step<Lease> touched(Renewal renewal) {
        if (renewal instanceof Renewal.Lost lost) {
            return abort(() -> {
                hold.markLost(lost.reason());
                return refused();
            });
        }
        return Step.done(lease);
    }

    private Step<Lease> refused(Reply.Failed failure) {
        return abort(() -> {
            if (failure.fault() == UNSUPPORTED) {
                throw unsupported(failure);
            }
            return faults.retryOrElse(failure, this::startTransaction, () -> new Step.Fail<>(failure));
        });
    }

    private Step<Boolean> commit(int repeats) {
        return Step.call(boundary(Boundary.COMMIT), reply -> {
            if (reply instanceof Reply.Failed failed) {
                return notCommitted(failed, repeats);
            }
            hold.markRenewed(
                    startedNanos + RenewOperation.heldFor(settings, lease.ttl()).toNanos());
            return Step.done(true);
        });
    }

    private Step<Boolean> notCommitted(Reply.Failed failure, int repeats) {
        boolean unknown = failure.isAmbiguous();
        outcomeUnknown |= unknown;
        if (unknown || failure.fault() == NOT_SENT) {
            boolean late =
                    LeaseTimes.remaining(lease, settings.time().nanoTime()).isZero();
            return repeats > 0 && !late ? commit(repeats - 1) : unknownOutcome(failure);
        }
        outcomeUnknown = false;
        boolean passing = failure.fault() == TRANSIENT || failure.fault() == WRITE_CONFLICT;
        return passing
                ? faults.retryOrElse(failure, () -> Step.done(false), () -> new Step.Fail<>(failure))
                : new Step.Fail<>(failure);
    }

    private Step<Boolean> unknownOutcome(Reply.Failed failure) {
        if (outcomeUnknown) {
            throw IndeterminateOutcomeException.ofCommit(name, failure.cause());
        }
        return new Step.Fail<>(failure);
    }

    /** A lost reply does not matter: the server ends a transaction that is never committed. */
    private <R> Step<R> abort(Supplier<Step<R>> then) {
        Function<Reply, Step<R>> next = reply -> then.get();
        return Step.call(boundary(Boundary.ABORT), next);
    }

    private Transaction boundary(Boundary boundary) {
        return new Transaction(settings.strategy().name() + "/guarded", boundary);
    }

    private LockStorageException unsupported(Reply.Failed failure) {
        return LockTask.of("Guarding a transaction by", name, settings)
                .refused(
                        List.of("transactions need a replica set or a sharded cluster, but this server refuses them"),
                        "Start it as a replica set (a single node is enough: mongod --replSet rs0, then rs.initiate()),"
                                + " or write with the fencing token instead.",
                        failure.cause());
    }
}
