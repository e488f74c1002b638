package org.mongolocks.internal.acquire;

import static java.lang.System.Logger.Level.WARNING;
import static org.mongolocks.spi.Reply.Fault.DUPLICATE_KEY;
import static org.mongolocks.spi.Reply.Fault.WRITE_CONFLICT;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.HolderInfo;
import org.mongolocks.Lease;
import org.mongolocks.LockEvent;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.TokenWentBackException;
import org.mongolocks.internal.run.BackgroundLog;
import org.mongolocks.internal.run.CompensatedProgram;
import org.mongolocks.internal.run.FaultClassifier;
import org.mongolocks.internal.run.LeaseTimes;
import org.mongolocks.internal.run.LockEvents;
import org.mongolocks.internal.run.PendingCompensation;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.run.TimeBudget.FaultRetry;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.settings.ClientSettings.LeaseSettings;
import org.mongolocks.internal.wait.Waiter;
import org.mongolocks.internal.wait.WaiterQueues;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.Observation;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.time.TimeSource;

/**
 * The state machine that acquires one lock, or several in one command: it makes attempts, waits while another owner
 * holds the lock, retries after faults, and compensates for grants whose reply was lost. One object serves one run, on
 * one thread at a time.
 *
 * <ol>
 *   <li>The strategy makes an attempt. A grant ends the acquisition.
 *   <li>Contended: wait in the {@link WaiterQueues}, never past the deadline, and make the next attempt when this
 *       waiter is the head of its queue. At the deadline the outcome is {@link LockOutcome.Contended}.
 *   <li>A fault: retry with the same owner, which finds a grant whose reply was lost.
 *   <li>A write that was sent and timed out, while the server replies to a read: the transaction of another owner holds
 *       the document. That is contention, not a fault.
 *   <li>Contended at the end, but an attempt may have been sent twice or got no reply: release in the owner's name
 *       first. A write that changed nothing leaves no record of its transaction number, so a late duplicate of it would
 *       be executed; after the release, which has a newer number, the server refuses it. If the newest attempts got no
 *       reply and have no number, they are not refused: the outcome is {@link LockOutcome.Indeterminate}.
 *   <li>Retries exhausted: if the server may have executed some attempt, release in the owner's name. If that release
 *       gets a reply, the acquisition has failed and nothing is held; if it gets none, or if some attempt may be
 *       executed after it, the outcome is {@link LockOutcome.Indeterminate}. If no time is left for the release, it
 *       runs later.
 * </ol>
 *
 * <p>What the attempts so far may have left on the server is the {@link State}.
 */
abstract sealed class Acquisition<R> implements CompensatedProgram<R> permits LockAcquisition, GrantAcquisition {
    /** An attempt that takes longer than this fraction of the command timeout may have been repeated by a router. */
    private static final int PARTS_OF_A_LONG_ATTEMPT = 4;

    private final ClientSettings settings;
    private final TimeSource time;
    private final LockRequest request;
    private final Owner owner;
    private final HolderInfo holderInfo;
    private final WaiterQueues queues;
    private final TimeBudget budget;
    private final Duration margin;
    private @Nullable FaultRetry faults;
    private final boolean isObserved;
    private final long askedNanos;
    private long acquiredNanos;
    private boolean hasWaited;
    private boolean endReported;
    private @Nullable LockOutcome outcome;
    private @Nullable Waiter waiter;
    private volatile @Nullable Compensation compensation;
    private State state = new State.Clear();

    /**
     * What the attempts so far may have left on the server. In each state but {@link Clear} a run that is aborted must
     * release in the owner's name.
     *
     * <pre>
     * from          event                                               to
     * -----------   -------------------------------------------------   -------------------------------------
     * every state   an attempt is sent                                  InFlight
     * InFlight      granted                                             InFlight, until the caller has the lock
     * InFlight      another attempt is sent, since the lease of the     InFlight; if that attempt fails: Repeatable
     *               grant has ended for its holder
     * InFlight      contended; every attempt was answered in time       Clear
     * InFlight      contended; some attempt may have been sent twice,   Repeatable
     *               or an earlier one got no reply
     * InFlight      failed; not executed                                the state before the attempt, but not
     *                                                                   Clear if the driver sent it twice:
     *                                                                   Repeatable
     * InFlight      the reply is lost                                   Unanswered
     * Unanswered    the server replies to a read                        Unanswered, blocked
     * Repeatable,   the compensating release is answered                Clear
     * Unanswered
     * </pre>
     */
    private sealed interface State {
        /** Nothing: no attempt was made, or none can be granted any more. */
        record Clear() implements State {}

        /** An attempt was sent and is not answered, or was granted. */
        record InFlight() implements State {}

        /**
         * The newest attempt was answered, but a duplicate of some attempt may still be executed, or a grant whose
         * lease has ended for its holder may still last on the server.
         */
        record Repeatable() implements State {}

        /**
         * The newest attempts got no reply: they may have been executed, or may be executed later.
         *
         * @param late the newest failure of an attempt that may be executed even after the compensating release
         * @param isBlocked whether the server replied to a read meanwhile: the attempt waits for a transaction of
         *     another owner
         */
        record Unanswered(Optional<Reply.Failed> late, boolean isBlocked) implements State {}

        default boolean isBlocked() {
            return false;
        }

        /** Returns the failure of an attempt that the compensating release does not undo. */
        default Optional<Reply.Failed> late() {
            return Optional.empty();
        }

        default State blocked() {
            return new Unanswered(late(), true);
        }

        /** Returns the state after an attempt that began in this one has failed. */
        default State afterFailure(Reply.Failed failure, boolean isRepeated) {
            if (failure.isAmbiguous()) {
                return new Unanswered(failure.mayExecuteLate() ? Optional.of(failure) : late(), isBlocked());
            }
            return this instanceof Clear && isRepeated ? new Repeatable() : this;
        }
    }

    /**
     * One attempt.
     *
     * @param startedNanos when it was sent
     * @param before the state when it was sent
     * @param newestGrants the newest known grants of its locks when it was sent, if tokens are checked
     * @param onTimeout what to do if it times out
     */
    private record Sent(long startedNanos, State before, List<Lease> newestGrants, OnTimeout onTimeout) {}

    /** A grant, and an earlier one to another owner whose token is not less. */
    private record WentBack(Lease lease, Lease earlier) {}

    /** What to do after an attempt that timed out. */
    private enum OnTimeout {
        /** Reads the lock, to check whether the server replies at all. */
        CHECK_SERVER,
        /** Makes the next attempt: the server has just not replied to a read. */
        RETRY
    }

    /**
     * Creates an acquisition.
     *
     * @param request the lock, the ttl and the wait
     * @param owner a fresh owner
     * @param budget the time that it may take
     * @param askedNanos the time of the call: the deadline and the first lease count from it
     * @throws IllegalArgumentException if the ttl does not exceed the client's skew margin
     */
    Acquisition(
            ClientSettings settings,
            LockRequest request,
            Owner owner,
            WaiterQueues queues,
            TimeBudget budget,
            long askedNanos) {
        LeaseSettings holding = settings.holding();
        this.settings = settings;
        this.time = settings.time();
        this.request = request;
        this.owner = owner;
        this.holderInfo = holding.holderInfo().get().withNote(request.note());
        this.queues = queues;
        this.budget = budget;
        this.margin = holding.marginFor(request.ttl());
        this.isObserved = holding.observer().isPresent();
        this.askedNanos = askedNanos;
    }

    @Override
    public Optional<TimeBudget> limit() {
        return Optional.of(budget);
    }

    /** Returns when it was created, on the clock of the client. */
    long askedNanos() {
        return askedNanos;
    }

    /** Returns when its grant arrived. */
    long acquiredNanos() {
        return acquiredNanos;
    }

    /** An acquisition that may wait joins an existing local queue before its first attempt. */
    @Override
    public Step<R> start() {
        if (request.isFair() && !queues.hasLists()) {
            throw new IllegalArgumentException("fair() needs a strategy that keeps lists of waiters, and MongoDB 4.4 or"
                    + " newer; strategy '" + settings.strategy().name() + "' keeps none on this server");
        }
        return !budget.isWaitOver(askedNanos) && queues.joinsBeforeAttempt(request.name(), request.isFair())
                ? await()
                : makeAttempt(OnTimeout.CHECK_SERVER, askedNanos);
    }

    /** Returns the names of all locks that may be granted to the owner. */
    List<LockName> names() {
        return List.of(request.name());
    }

    /** Returns the program of one attempt to acquire them. */
    Step<LockOutcome> attempt(AcquireContext context) {
        return settings.strategy().acquire(context);
    }

    /** Returns all grants of the newest attempt, given the one in its outcome. */
    List<Lease> grants(Lease first) {
        return List.of(first);
    }

    @Override
    public void close() {
        if (waiter != null) {
            waiter.leave(Optional.empty());
        }
        if (isObserved) {
            reportEnd();
        }
    }

    /** Returns the result of an outcome. A grant is given to the caller. */
    abstract R result(LockOutcome last);

    private Step<R> done(LockOutcome last) {
        if (last instanceof LockOutcome.Contended) {
            queues.requireOpen();
        }
        outcome = last;
        return new Step.Done<>(result(last));
    }

    /** A grant is reported when the lock is registered as held. */
    private void reportEnd() {
        if (endReported || outcome instanceof LockOutcome.Acquired) {
            return;
        }
        endReported = true;
        LockEvent.Kind kind =
                outcome instanceof LockOutcome.Contended ? LockEvent.Kind.CONTENDED : LockEvent.Kind.FAILED;
        LockEvents.ofAcquisition(
                settings, kind, request.name(), () -> Optional.of(Duration.ofNanos(time.nanoTime() - askedNanos)));
    }

    private void reportWaiting() {
        if (isObserved && !hasWaited) {
            LockEvents.ofAcquisition(settings, LockEvent.Kind.WAITING, request.name(), Optional::empty);
        }
        hasWaited = true;
    }

    /** Returns the waiting side, which an acquisition that is granted the lock at once has not. */
    private Waiter waiter() {
        return waiterFor(request.name());
    }

    private Waiter waiterFor(LockName first) {
        Waiter known = waiter;
        if (known == null) {
            known = new Waiter(queues, first, request.isFair());
            waiter = known;
        }
        return known;
    }

    /** Returns the lock that it waits for. */
    private LockName awaited() {
        return waiter == null ? request.name() : waiter.awaited();
    }

    @Override
    public boolean needsCompensation() {
        return mayBeGranted() || (waiter != null && waiter.needsWithdrawal());
    }

    @Override
    public Step<Boolean> compensate() {
        outcome = null;
        Step<Boolean> released = mayBeGranted() || hasPendingCompensation() ? releaseAll() : Step.done(false);
        return released.andThen(wasHeld -> withdraw().andThen(withdrawn -> Step.done(wasHeld)));
    }

    @Override
    public Optional<PendingCompensation> pendingCompensation() {
        return hasPendingCompensation()
                ? Optional.of(new PendingCompensation(settings, queues.closeSignals(), request.ttl(), this))
                : Optional.empty();
    }

    /** Returns whether a compensation was sent and has got no reply. */
    boolean hasPendingCompensation() {
        return compensation != null && compensation.isPending();
    }

    private boolean mayBeGranted() {
        return !(state instanceof State.Clear);
    }

    /** Releases whatever may have been granted, in the owner's name. Most acquisitions never do. */
    private Step<Boolean> releaseAll() {
        Compensation release = compensation == null ? new Compensation(settings, owner, queues) : compensation;
        compensation = release;
        return release.start(names(), request.ttl(), budget);
    }

    /**
     * Removes this waiter from the list, if it may be in it and shares its entry with none that stays. If that fails the
     * entry stays until its turn, which then costs the others a moment.
     */
    private Step<Boolean> withdraw() {
        return withdraw(waiter == null ? Optional.empty() : waiter.withdrawal());
    }

    private Step<Boolean> withdraw(Optional<Step<Boolean>> withdrawal) {
        return withdrawal
                .map(command -> FaultRetry.lasting(settings, budget.retryTime())
                        .<Boolean, Boolean>retrying(() -> command, Step::done)
                        .then(Step::done, failure -> Step.done(false)))
                .orElseGet(() -> Step.done(true));
    }

    private Step<R> makeAttempt() {
        return makeAttempt(OnTimeout.CHECK_SERVER, time.nanoTime());
    }

    private Step<R> makeAttempt(OnTimeout onTimeout, long started) {
        queues.requireOpen();
        Optional<Observation> previous = waiter == null ? Optional.empty() : waiter.beginAttempt(started);
        LockName name = request.name();
        LockName awaited = waiter == null ? name : waiter.awaited();
        Optional<AcquireContext.Waiter> listed =
                waiter == null ? Optional.empty() : waiter.listed(budget.isWaitOver(started));
        // The lease of an earlier grant has ended for its holder, but the server may have begun it later.
        State before = state instanceof State.InFlight ? new State.Repeatable() : state;
        Sent sent = new Sent(started, before, newestGrants(), onTimeout);
        state = new State.InFlight();
        AcquireContext context = AcquireContext.of(name, owner, request.ttl(), started)
                .previous(previous)
                .lastSeen(queues.lastSeen(awaited))
                .holderInfo(holderInfo)
                .releasedRevision(waiter == null ? OptionalLong.empty() : waiter.releasedRevision())
                .waiter(listed);
        return attempt(context).then(outcome -> answered(sent, outcome), failure -> failed(sent, failure));
    }

    /** Returns the newest known grants of the locks. */
    List<Lease> newestGrants() {
        Optional<Lease> newest = queues.newestGrant(request.name());
        return newest.isPresent() ? List.of(newest.get()) : List.of();
    }

    private Step<R> answered(Sent sent, LockOutcome outcome) {
        faultsEnded();
        boolean isRepeated = budget.takeRepeated();
        long now = time.nanoTime();
        if (outcome instanceof LockOutcome.Acquired acquired) {
            return granted(sent, acquired, now);
        }
        if (outcome instanceof LockOutcome.Contended contended) {
            boolean mayRepeat =
                    isRepeated || wasSlow(now - sent.startedNanos()) || !(sent.before() instanceof State.Clear);
            boolean mayHoldOthers = sent.before() instanceof State.Unanswered && names().size() > 1;
            return mayHoldOthers
                    ? releaseAll().then(released -> contended(contended, new State.Clear()), this::indeterminate)
                    : contended(contended, mayRepeat ? new State.Repeatable() : new State.Clear());
        }
        return done(outcome);
    }

    /**
     * A token that is not larger than that of an earlier grant cannot fence: the guarded data could not tell the two
     * grants apart.
     */
    private Step<R> granted(Sent sent, LockOutcome.Acquired first, long now) {
        WentBack wentBack = null;
        // A minimum hold keeps an owner in the document, so that the next attempt finds one, as on a contended lock.
        boolean isContended =
                hasWaited || first.waiters() > 0 || !request.minimumHold().isZero();
        for (Lease lease : grants(first.lease())) {
            queues.granted(lease, isContended);
            for (Lease earlier : sent.newestGrants()) {
                wentBack = wentBack == null && hasGoneBack(lease, earlier) ? new WentBack(lease, earlier) : wentBack;
            }
        }
        WentBack known = wentBack;
        return known == null
                ? acquired(
                        new LockOutcome.Acquired(
                                LeaseTimes.endingEarlier(first.lease(), margin), first.waiters(), first.freeFor()),
                        now)
                : compensate()
                        .then(
                                released -> tokenWentBack(known, Optional.empty()),
                                lost -> tokenWentBack(known, Optional.of(lost)));
    }

    /** The same owner finds its own grant. A grant to another owner since this attempt began may have a larger token. */
    private boolean hasGoneBack(Lease lease, Lease earlier) {
        return earlier.fencingToken() >= lease.fencingToken()
                && earlier.name().equals(lease.name())
                && !earlier.owner().equals(owner);
    }

    private Step<R> tokenWentBack(WentBack wentBack, Optional<Reply.Failed> recordReleaseFailed) {
        state = new State.Clear();
        Lease lease = wentBack.lease();
        long newest = wentBack.earlier().fencingToken();
        BackgroundLog.log(WARNING, TokenWentBackException.message(lease.name(), lease.fencingToken(), newest));
        TokenWentBackException exception = new TokenWentBackException(lease.name(), lease.fencingToken(), newest);
        recordReleaseFailed.ifPresent(lost -> exception.addSuppressed(lost.cause()));
        try {
            settings.tokens().onTokenWentBack(lease, newest);
        } catch (RuntimeException e) {
            exception.addSuppressed(e);
        }
        throw exception;
    }

    /** A lease that ended before its grant arrived is useless; another attempt extends it. */
    private Step<R> acquired(LockOutcome.Acquired grant, long now) {
        if (grant.lease().validUntilNanos() - now <= 0) {
            return budget.isWaitOver(now)
                    ? compensate().then(released -> readHolder(), this::indeterminate)
                    : makeAttempt();
        }
        acquiredNanos = now;
        if (waiter != null) {
            waiter.leave(Optional.of(grant));
        }
        return done(grant);
    }

    /** A router repeats a command without reporting it. */
    private boolean wasSlow(long tookNanos) {
        return tookNanos > settings.commandTimeout().toNanos() / PARTS_OF_A_LONG_ATTEMPT;
    }

    private Step<R> contended(LockOutcome.Contended contended, State next) {
        state = next;
        LockSnapshot seen = contended.lock();
        queues.recordSeen(seen);
        if (isPastDeadline() && waiter == null) {
            return endContended(seen);
        }
        return withdraw(waiterFor(seen.name()).contended(contended))
                .andThen(done -> isPastDeadline() ? endContended(seen) : await());
    }

    /** Ends as contended, once nothing that this acquisition has sent can be granted any more. */
    private Step<R> endContended(LockSnapshot seen) {
        Supplier<Step<R>> contended = () -> withdraw().andThen(withdrawn -> done(new LockOutcome.Contended(seen)));
        return mayBeGranted()
                ? releaseAll().then(released -> compensatedThen(contended), this::indeterminate)
                : contended.get();
    }

    /** A write that the server may execute after the release is not undone by it. */
    private Step<R> compensatedThen(Supplier<Step<R>> end) {
        Optional<Reply.Failed> late = state.late();
        state = new State.Clear();
        return late.map(this::indeterminate).orElseGet(end);
    }

    /** Waits until this waiter has something to do, and does it. */
    private Step<R> await() {
        Waiter.NextAction next = waiter().nextAction();
        // Not before it: a client that is closed in between has completed another signal.
        queues.requireOpen();
        if (isPastDeadline()) {
            return next.isHead() && !budget.isExhausted() && !state.isBlocked()
                    ? makeAttempt()
                    : endContended(waiter().newestSnapshot(time.nanoTime()));
        }
        if (next.isNow()) {
            if (next.isTimeOnly() && isTooLateForPoll()) {
                return awaitRelease(next);
            }
            return next.isRead() ? look() : makeAttempt();
        }
        reportWaiting();
        return new Step.Pause<>(waiter().waitAtMost(next, budget.waitLeft()), Optional.of(next.signal()), this::await);
    }

    /** An attempt that is blocked and times out leaves no time for the release after the deadline. */
    private boolean isTooLateForPoll() {
        return state.isBlocked()
                && budget.waitLeft().compareTo(settings.commandTimeout().dividedBy(PARTS_OF_A_LONG_ATTEMPT)) < 0;
    }

    /**
     * Waits for a release of the lock: only that justifies another attempt. Waiters of this client with more time make
     * attempts meanwhile.
     */
    private Step<R> awaitRelease(Waiter.NextAction next) {
        reportWaiting();
        waiter().yieldToOthers();
        return new Step.Pause<>(budget.waitLeft(), Optional.of(next.signal()), this::await);
    }

    /** A failure is treated as that of an attempt is: the attempt meets it again, or not. */
    private Step<R> look() {
        return waiter().look().then(done -> await(), failure -> makeAttempt());
    }

    private Step<R> failed(Sent sent, Reply.Failed failure) {
        state = sent.before().afterFailure(failure, budget.takeRepeated());
        if (failure.fault() == WRITE_CONFLICT) {
            if (waiter != null && waiter.claimsAgain()) {
                return makeAttempt();
            }
            queues.recordHeld(awaited());
        }
        return mayBeBlocked(failure) && sent.onTimeout() == OnTimeout.CHECK_SERVER
                ? checkServer(failure)
                : retry(failure, OnTimeout.CHECK_SERVER);
    }

    private FaultRetry faults() {
        FaultRetry known = faults == null ? new FaultRetry(settings, budget.endOfRetries(askedNanos)) : faults;
        faults = known;
        return known;
    }

    /** Starts the pauses between retries again. */
    private void faultsEnded() {
        FaultRetry known = faults;
        if (known == null) {
            FaultRetry.withoutFault(settings);
        } else {
            known.reset();
        }
    }

    /** Only a write that was sent can wait for a transaction. */
    private static boolean mayBeBlocked(Reply.Failed failure) {
        return failure.isAmbiguous() && FaultClassifier.isOutOfTime(failure.cause());
    }

    private Step<R> retry(Reply.Failed failure, OnTimeout onTimeout) {
        return faults().retryOrElse(
                        failure, () -> makeAttempt(onTimeout, time.nanoTime()), () -> onRetriesExhausted(failure));
    }

    /** Reads the lock. If the server does not reply, the next attempt is not checked. */
    private Step<R> checkServer(Reply.Failed failure) {
        return settings.strategy()
                .inspect(awaited())
                .then(seen -> serverReplied(seen, failure), lost -> retry(failure, OnTimeout.RETRY));
    }

    /**
     * Treats the write as blocked by a transaction of another owner, unless the lock is already ours: then only
     * replication is slow.
     */
    private Step<R> serverReplied(Optional<LockSnapshot> seen, Reply.Failed failure) {
        boolean isMine = seen.flatMap(LockSnapshot::holder).equals(Optional.of(owner.stored()));
        return isMine ? retry(failure, OnTimeout.CHECK_SERVER) : blocked(seen);
    }

    private Step<R> blocked(Optional<LockSnapshot> seen) {
        faultsEnded();
        state = state.blocked();
        queues.recordHeld(awaited());
        if (isPastDeadline()) {
            return endContended(seen.orElseGet(() -> LockSnapshot.unused(awaited())));
        }
        waiter().lostRace();
        return await();
    }

    private Step<R> onRetriesExhausted(Reply.Failed failure) {
        queues.requireOpen();
        if (failure.fault() == WRITE_CONFLICT || failure.fault() == DUPLICATE_KEY) {
            return lostRace();
        }
        if (!mayBeGranted()) {
            return withdraw().andThen(withdrawn -> new Step.Fail<>(failure));
        }
        return compensate()
                .then(released -> compensatedThen(() -> new Step.Fail<>(failure)), lost -> indeterminate(failure));
    }

    /** Lost every race: reported as contended, although the lock may be free at this moment. */
    private Step<R> lostRace() {
        faultsEnded();
        if (isPastDeadline()) {
            return mayBeGranted()
                    ? compensate().then(released -> compensatedThen(this::readHolder), this::indeterminate)
                    : withdraw().andThen(withdrawn -> readHolder());
        }
        waiter().lostRace();
        return await();
    }

    private Step<R> readHolder() {
        LockSnapshot unknown = LockSnapshot.unused(awaited());
        return settings.strategy()
                .inspect(awaited())
                .andThen(seen -> done(new LockOutcome.Contended(seen.orElse(unknown))));
    }

    /** An attempt in flight stays so: its release got no reply either. */
    private Step<R> indeterminate(Reply.Failed failure) {
        state = state instanceof State.InFlight ? state : new State.Clear();
        return done(new LockOutcome.Indeterminate(owner, failure.cause()));
    }

    private boolean isPastDeadline() {
        return budget.isWaitOver(time.nanoTime());
    }
}
