package org.mongolocks.internal.acquire;

import static java.lang.System.Logger.Level.WARNING;
import static org.mongolocks.spi.Reply.Fault.DUPLICATE_KEY;
import static org.mongolocks.spi.Reply.Fault.WRITE_CONFLICT;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
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
 * <pre>
 * phase      event                                              next phase and action
 * --------   ------------------------------------------------   ----------------------------------------------
 * NEW        start, without a wait, or last seen free           ATTEMPT
 *            otherwise, as the head of the local queue          ATTEMPT
 *            otherwise, behind its head                         WAIT
 * ATTEMPT    granted, with an end in the future                 end: acquired
 *            granted too late                                   ATTEMPT, or after the deadline RELEASE: lost race
 *            granted with a token that went back                RELEASE: the exception
 *            contended                                          WAIT, or after the deadline RELEASE: contended
 *            contended for another one of several locks         MOVE
 *            contended for one of several locks, others of      SETTLE
 *            which an earlier attempt may hold
 *            another write won, and it is the turn of this      ATTEMPT
 *            client
 *            timed out                                          CHECK
 *            another fault, as a lost reply; retries are left   RETRY: a pause
 *            other writes won, and none is left                 WAIT, or after the deadline RELEASE: lost race
 *            another fault, and none is left                    RELEASE: the fault
 * CHECK      the server replies, and the lock is not ours: a    WAIT, or after the deadline RELEASE: contended
 *            transaction of another owner holds the document
 *            the server replies, and the lock is ours           RETRY, or RELEASE: the fault
 *            no reply                                           RETRY without another check, or RELEASE: the fault
 * RETRY      the end of the pause                               ATTEMPT, by the same owner: it finds a grant whose
 *                                                               reply was lost
 * SETTLE     the locks are released                             MOVE
 *            no reply                                           end: indeterminate
 * MOVE       not in the list of the former lock any more        WAIT, or after the deadline RELEASE: contended
 * WAIT       something to do for the head of the local queue    ATTEMPT or READ
 *            the deadline, and a last attempt may be made       ATTEMPT
 *            the deadline                                       RELEASE: contended
 *            otherwise                                          WAIT: a pause
 * READ       answered                                           WAIT
 *            no reply: an attempt meets the fault again         ATTEMPT
 * RELEASE    nothing may be granted, or all of it is released   WITHDRAW
 *            no reply                                           end: indeterminate
 * WITHDRAW   in no list any more                                end: contended, the fault or the exception;
 *                                                               HOLDER after a lost race; indeterminate if an
 *                                                               attempt may be executed after its release
 * HOLDER     the lock, which may be free; or no reply           end: contended
 * </pre>
 *
 * <p>RELEASE is in the owner's name. A write that changed nothing leaves no record of its transaction number, so a late
 * duplicate of it would be executed; after the release, which has a newer number, the server refuses it. Attempts without
 * a number are not refused. If no time is left for the release, it runs later. What the attempts so far may have left on
 * the server is the {@link State}.
 */
abstract sealed class Acquisition<R> implements CompensatedProgram<R> permits LockAcquisition, GrantAcquisition {
    /** An attempt that takes longer than this fraction of the command timeout may have been repeated by a router. */
    private static final int PARTS_OF_A_LONG_ATTEMPT = 4;

    private static final Event DONE = new Event.Done();

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
    private Phase phase = Phase.NEW;
    /** The newest attempt. */
    private @Nullable Sent sent;

    private boolean isNextChecked = true;
    /** How the acquisition ends, if it does so now. */
    private @Nullable Ending ending;

    /** What the newest action was; see the table of the class. */
    private enum Phase {
        NEW,
        ATTEMPT,
        CHECK,
        RETRY,
        SETTLE,
        MOVE,
        WAIT,
        READ,
        RELEASE,
        WITHDRAW,
        HOLDER
    }

    /** What came of the newest action. */
    private sealed interface Event {
        /** The attempt has an outcome. */
        record Answered(LockOutcome outcome) implements Event {}

        /** The lock was read. */
        record Seen(Optional<LockSnapshot> lock) implements Event {}

        /** The command was answered, or the wait is over. */
        record Done() implements Event {}

        /** The server gave no reply, or a fault. */
        record Failed(Reply.Failed failure) implements Event {}
    }

    /** How an acquisition ends, once nothing can be granted to the owner any more. */
    private sealed interface Ending {
        /** Another owner holds the lock. */
        record Contended(LockOutcome.Contended outcome) implements Ending {}

        /** Lost every race: reported as contended, although the lock may be free at this moment. */
        record LostRace() implements Ending {}

        /** The retries after a fault are exhausted. */
        record Fault(Reply.Failed failure) implements Ending {}

        /** A grant has a token that is not larger than that of an earlier grant to another owner. */
        record WentBack(Lease lease, Lease earlier) implements Ending {}
    }

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
     * @param isChecked whether the server is checked if it times out: it has not just failed to answer a read
     */
    private record Sent(long startedNanos, State before, List<Lease> newestGrants, boolean isChecked) {}

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

    @Override
    public Step<R> start() {
        if (request.isFair() && !queues.hasLists()) {
            throw new IllegalArgumentException("fair() needs a strategy that keeps lists of waiters, and MongoDB 4.4 or"
                    + " newer; strategy '" + settings.strategy().name() + "' keeps none on this server");
        }
        return next(DONE);
    }

    /** Returns the action that follows an event, by the table of the class; its end is the next event. */
    private Step<R> next(Event event) {
        Optional<Reply.Failed> failure =
                event instanceof Event.Failed failed ? Optional.of(failed.failure()) : Optional.empty();
        return switch (phase) {
            case NEW -> begin();
            case ATTEMPT ->
                failure.map(this::attemptFailed).orElseGet(() -> answered(((Event.Answered) event).outcome()));
            case CHECK -> failure.isPresent() ? retry(false) : serverReplied(((Event.Seen) event).lock());
            case RETRY -> attempt(isNextChecked);
            case SETTLE -> failure.map(this::indeterminate).orElseGet(this::settled);
            case MOVE -> moved();
            case WAIT -> await();
            case READ -> failure.isPresent() ? attempt(true) : await();
            case RELEASE -> failure.map(this::unreleased).orElseGet(this::withdraw);
            case WITHDRAW -> conclude();
            case HOLDER ->
                over(contended(event instanceof Event.Seen seen ? seen.lock() : Optional.empty())
                        .outcome());
        };
    }

    private Step<R> send(Phase by, Step<Boolean> command) {
        phase = by;
        return command.then(done -> next(DONE), this::failed);
    }

    private Step<R> readLock(Phase by) {
        phase = by;
        return settings.strategy().inspect(awaited()).then(seen -> next(new Event.Seen(seen)), this::failed);
    }

    private Step<R> pause(Phase by, Duration delay, Optional<CompletableFuture<Void>> signal) {
        phase = by;
        return new Step.Pause<>(delay, signal, () -> next(DONE));
    }

    private Step<R> failed(Reply.Failed failure) {
        return next(new Event.Failed(failure));
    }

    /** An acquisition that may wait is a waiter first, unless it is not fair and the lock was last seen free. */
    private Step<R> begin() {
        return !budget.isWaitOver(askedNanos) && queues.joinsBeforeAttempt(request.name(), request.isFair())
                ? await()
                : attempt(true, askedNanos);
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

    /** Returns the result of an outcome. A grant is registered as held, unless the client was closed meanwhile. */
    abstract R result(LockOutcome last);

    private Step<R> over(LockOutcome last) {
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
        return released.andThen(wasHeld -> withdrawn(withdrawal()).andThen(withdrawn -> Step.done(wasHeld)));
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
    private Step<Boolean> withdrawn(Optional<Step<Boolean>> withdrawal) {
        return withdrawal
                .map(command -> FaultRetry.lasting(settings, budget.retryTime())
                        .<Boolean, Boolean>retrying(() -> command, Step::done)
                        .then(Step::done, failure -> Step.done(false)))
                .orElseGet(() -> Step.done(true));
    }

    private Optional<Step<Boolean>> withdrawal() {
        return waiter == null ? Optional.empty() : waiter.withdrawal();
    }

    private Step<R> attempt(boolean isChecked) {
        return attempt(isChecked, time.nanoTime());
    }

    private Step<R> attempt(boolean isChecked, long started) {
        queues.requireOpen();
        Optional<Observation> previous = waiter == null ? Optional.empty() : waiter.beginAttempt(started);
        LockName awaited = awaited();
        Optional<AcquireContext.Waiter> listed =
                waiter == null ? Optional.empty() : waiter.listed(budget.isWaitOver(started));
        // The lease of an earlier grant has ended for its holder, but the server may have begun it later.
        State before = state instanceof State.InFlight ? new State.Repeatable() : state;
        sent = new Sent(started, before, newestGrants(), isChecked);
        state = new State.InFlight();
        phase = Phase.ATTEMPT;
        AcquireContext context = AcquireContext.of(request.name(), owner, request.ttl(), started)
                .previous(previous)
                .lastSeen(queues.lastSeen(awaited))
                .holderInfo(holderInfo)
                .releasedRevision(waiter == null ? OptionalLong.empty() : waiter.releasedRevision())
                .waiter(listed);
        return attempt(context).then(outcome -> next(new Event.Answered(outcome)), this::failed);
    }

    private static <T> T known(@Nullable T ofNewestAttempt) {
        return Objects.requireNonNull(ofNewestAttempt, "No attempt was made");
    }

    /** Returns the newest known grants of the locks. */
    List<Lease> newestGrants() {
        Optional<Lease> newest = queues.newestGrant(request.name());
        return newest.isPresent() ? List.of(newest.get()) : List.of();
    }

    private Step<R> answered(LockOutcome outcome) {
        Sent answered = known(sent);
        faultsEnded();
        boolean isRepeated = budget.takeRepeated();
        long now = time.nanoTime();
        if (outcome instanceof LockOutcome.Acquired acquired) {
            return granted(answered, acquired, now);
        }
        if (!(outcome instanceof LockOutcome.Contended seen)) {
            return over(outcome);
        }
        ending = new Ending.Contended(seen);
        State before = answered.before();
        if (before instanceof State.Unanswered && names().size() > 1) {
            return send(Phase.SETTLE, releaseAll());
        }
        boolean mayRepeat = isRepeated || wasSlow(now - answered.startedNanos()) || !(before instanceof State.Clear);
        state = mayRepeat ? new State.Repeatable() : new State.Clear();
        return move();
    }

    /**
     * A token that is not larger than that of an earlier grant cannot fence: the guarded data could not tell the two
     * grants apart.
     */
    private Step<R> granted(Sent answered, LockOutcome.Acquired first, long now) {
        Ending wentBack = null;
        // A minimum hold keeps an owner in the document, so that the next attempt finds one, as on a contended lock.
        boolean isContended =
                hasWaited || first.waiters() > 0 || !request.minimumHold().isZero();
        for (Lease lease : grants(first.lease())) {
            queues.granted(lease, isContended);
            for (Lease earlier : answered.newestGrants()) {
                wentBack = wentBack == null && hasGoneBack(lease, earlier)
                        ? new Ending.WentBack(lease, earlier)
                        : wentBack;
            }
        }
        return wentBack == null
                ? acquired(
                        new LockOutcome.Acquired(
                                LeaseTimes.endingEarlier(first.lease(), margin), first.waiters(), first.freeFor()),
                        now)
                : finish(wentBack);
    }

    /** The same owner finds its own grant. A grant to another owner since this attempt began may have a larger token. */
    private boolean hasGoneBack(Lease lease, Lease earlier) {
        return earlier.fencingToken() >= lease.fencingToken()
                && earlier.name().equals(lease.name())
                && !earlier.owner().equals(owner);
    }

    /** A lease that ended before its grant arrived is useless; another attempt extends it. */
    private Step<R> acquired(LockOutcome.Acquired grant, long now) {
        if (grant.lease().validUntilNanos() - now <= 0) {
            return budget.isWaitOver(now) ? finish(new Ending.LostRace()) : attempt(true);
        }
        acquiredNanos = now;
        if (waiter != null) {
            waiter.leave(Optional.of(grant));
        }
        return over(grant);
    }

    /** A router repeats a command without reporting it. */
    private boolean wasSlow(long tookNanos) {
        return tookNanos > settings.commandTimeout().toNanos() / PARTS_OF_A_LONG_ATTEMPT;
    }

    private Step<R> settled() {
        state = new State.Clear();
        return move();
    }

    /** Waits for the lock that is contended, which of several may be another one than before. */
    private Step<R> move() {
        LockOutcome.Contended seen = ((Ending.Contended) known(ending)).outcome();
        queues.recordSeen(seen.lock());
        if (isPastDeadline() && waiter == null) {
            return finish(known(ending));
        }
        Optional<Step<Boolean>> withdrawal = waiterFor(seen.lock().name()).contended(seen);
        if (withdrawal.isEmpty()) {
            return moved();
        }
        return send(Phase.MOVE, withdrawn(withdrawal));
    }

    private Step<R> moved() {
        return isPastDeadline() ? finish(known(ending)) : await();
    }

    /** Waits until this waiter has something to do, and does it. */
    private Step<R> await() {
        Waiter.NextAction next = waiter().nextAction();
        // Not before it: a client that is closed in between has completed another signal.
        queues.requireOpen();
        if (isPastDeadline()) {
            return next.isHead() && !budget.isExhausted() && !state.isBlocked()
                    ? attempt(true)
                    : finish(contended(Optional.of(waiter().newestSnapshot(time.nanoTime()))));
        }
        // A release of the lock alone justifies an attempt this late. Waiters with more time make attempts meanwhile.
        boolean isTooLate = next.isNow() && next.isTimeOnly() && isTooLateForPoll();
        if (next.isNow() && !isTooLate) {
            return next.isRead() ? read() : attempt(true);
        }
        reportWaiting();
        if (isTooLate) {
            waiter().yieldToOthers();
        }
        Duration left = budget.waitLeft();
        return pause(Phase.WAIT, isTooLate ? left : waiter().waitAtMost(next, left), Optional.of(next.signal()));
    }

    /** An attempt that is blocked and times out leaves no time for the release after the deadline. */
    private boolean isTooLateForPoll() {
        return state.isBlocked()
                && budget.waitLeft().compareTo(settings.commandTimeout().dividedBy(PARTS_OF_A_LONG_ATTEMPT)) < 0;
    }

    private Step<R> read() {
        return send(Phase.READ, waiter().look());
    }

    private Step<R> attemptFailed(Reply.Failed failure) {
        Sent failed = known(sent);
        state = failed.before().afterFailure(failure, budget.takeRepeated());
        ending = new Ending.Fault(failure);
        if (failure.fault() == WRITE_CONFLICT) {
            if (waiter != null && waiter.claimsAgain()) {
                return attempt(true);
            }
            queues.recordHeld(awaited());
        }
        if (mayBeBlocked(failure) && failed.isChecked()) {
            return readLock(Phase.CHECK);
        }
        return retry(true);
    }

    /** Only a write that was sent can wait for a transaction. */
    private static boolean mayBeBlocked(Reply.Failed failure) {
        return failure.isAmbiguous() && FaultClassifier.isOutOfTime(failure.cause());
    }

    /** The lock is ours if only replication is slow. */
    private Step<R> serverReplied(Optional<LockSnapshot> seen) {
        boolean isMine = seen.flatMap(LockSnapshot::holder).equals(Optional.of(owner.stored()));
        return isMine ? retry(true) : blocked(seen);
    }

    private Step<R> blocked(Optional<LockSnapshot> seen) {
        faultsEnded();
        state = state.blocked();
        queues.recordHeld(awaited());
        if (isPastDeadline()) {
            return finish(contended(seen));
        }
        waiter().pollsNext();
        return await();
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

    /** Makes the next attempt after a pause, with a check of the server or without. */
    private Step<R> retry(boolean isChecked) {
        Reply.Failed failure = ((Ending.Fault) known(ending)).failure();
        Optional<Duration> pause = faults().pauseAfter(failure);
        if (pause.isEmpty()) {
            return retriesExhausted(failure);
        }
        isNextChecked = isChecked;
        return pause(Phase.RETRY, pause.get(), Optional.empty());
    }

    private Step<R> retriesExhausted(Reply.Failed failure) {
        queues.requireOpen();
        if (failure.fault() != WRITE_CONFLICT && failure.fault() != DUPLICATE_KEY) {
            return finish(new Ending.Fault(failure));
        }
        faultsEnded();
        if (isPastDeadline()) {
            return finish(new Ending.LostRace());
        }
        waiter().pollsNext();
        return await();
    }

    /** Begins to end: nothing that this acquisition has sent may be granted later. */
    private Step<R> finish(Ending how) {
        ending = how;
        if (!mayBeGranted()) {
            return withdraw();
        }
        return send(Phase.RELEASE, releaseAll());
    }

    private Step<R> withdraw() {
        Optional<Step<Boolean>> withdrawal = withdrawal();
        if (withdrawal.isEmpty()) {
            return conclude();
        }
        return send(Phase.WITHDRAW, withdrawn(withdrawal));
    }

    /** A write that the server may execute after the release is not undone by it. */
    private Step<R> conclude() {
        Optional<Reply.Failed> late = state.late();
        state = new State.Clear();
        Ending how = known(ending);
        if (how instanceof Ending.WentBack wentBack) {
            throw tokenWentBack(wentBack, Optional.empty());
        }
        if (late.isPresent()) {
            return indeterminate(late.get());
        }
        if (how instanceof Ending.LostRace) {
            return readLock(Phase.HOLDER);
        }
        return how instanceof Ending.Fault exhausted
                ? new Step.Fail<>(exhausted.failure())
                : over(((Ending.Contended) how).outcome());
    }

    private Ending.Contended contended(Optional<LockSnapshot> seen) {
        return new Ending.Contended(new LockOutcome.Contended(seen.orElseGet(() -> LockSnapshot.unused(awaited()))));
    }

    private Step<R> unreleased(Reply.Failed lost) {
        Ending how = known(ending);
        if (how instanceof Ending.WentBack wentBack) {
            throw tokenWentBack(wentBack, Optional.of(lost));
        }
        return indeterminate(how instanceof Ending.Fault exhausted ? exhausted.failure() : lost);
    }

    private TokenWentBackException tokenWentBack(Ending.WentBack wentBack, Optional<Reply.Failed> unreleased) {
        state = new State.Clear();
        Lease lease = wentBack.lease();
        long newest = wentBack.earlier().fencingToken();
        BackgroundLog.log(WARNING, TokenWentBackException.message(lease.name(), lease.fencingToken(), newest));
        TokenWentBackException exception = new TokenWentBackException(lease.name(), lease.fencingToken(), newest);
        unreleased.ifPresent(lost -> exception.addSuppressed(lost.cause()));
        try {
            settings.tokens().onTokenWentBack(lease, newest);
        } catch (RuntimeException e) {
            exception.addSuppressed(e);
        }
        return exception;
    }

    /** An attempt in flight stays so: its release got no reply either. */
    private Step<R> indeterminate(Reply.Failed failure) {
        state = state instanceof State.InFlight ? state : new State.Clear();
        return over(new LockOutcome.Indeterminate(owner, failure.cause()));
    }

    private boolean isPastDeadline() {
        return budget.isWaitOver(time.nanoTime());
    }
}
