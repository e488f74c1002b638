package org.mongolocks.internal.acquire;

import static java.lang.System.Logger.Level.WARNING;
import static org.mongolocks.spi.Fault.DUPLICATE_KEY;
import static org.mongolocks.spi.Fault.WRITE_CONFLICT;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientSettings;
import org.mongolocks.HolderInfo;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.TimeSource;
import org.mongolocks.TokenWentBackException;
import org.mongolocks.internal.run.CompensatedProgram;
import org.mongolocks.internal.run.Deadline;
import org.mongolocks.internal.run.FaultClassifier;
import org.mongolocks.internal.run.FaultRetry;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.wait.FairQueueTicket;
import org.mongolocks.internal.wait.Waiter;
import org.mongolocks.internal.wait.WaiterQueue;
import org.mongolocks.internal.wait.WaiterQueues;
import org.mongolocks.internal.wait.WaiterRegistration;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LastKnownState;
import org.mongolocks.spi.Observation;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.Trait;

/**
 * The state machine that acquires one lock: it makes attempts, waits while another owner holds the lock, retries after
 * faults, and compensates for grants whose reply was lost. One object serves one run, on one thread at a time.
 *
 * <ol>
 *   <li>The strategy makes an attempt. A grant ends the acquisition.
 *   <li>Contended: wait in the {@link WaiterQueues}, never past the deadline, and make the next attempt when this waiter
 *       is the head of its queue. At the deadline the outcome is {@link LockOutcome.Contended}.
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
 * <p>A fair acquisition first adds a ticket to the {@linkplain FairQueueTicket queue} of all clients, and makes attempts while
 * it is the head.
 */
public final class Acquisition implements CompensatedProgram<LockOutcome> {
    /** An attempt that takes longer than this fraction of the command timeout may have been repeated by a router. */
    private static final int PARTS_OF_A_LONG_ATTEMPT = 4;

    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final ClientSettings settings;
    private final TimeSource time;
    private final LockAttempt question;
    private final LockRequest request;
    private final Owner owner;
    private final HolderInfo holder;
    private final WaiterQueues room;
    private final WaiterRegistration standing;
    private final Deadline deadline;
    private final TimeBudget limit;
    private final Duration margin;
    private final Compensation takingBack;
    private final FaultRetry faults;
    private final boolean isFenced;
    private @Nullable FairQueueTicket queueing;
    private boolean attemptInFlight;
    private boolean outcomeUnknown;
    private Reply.@Nullable Failed late;
    private boolean mayRepeat;
    private boolean blocked;
    private boolean silent;
    private long attemptNanos;
    private List<Lease> newestGrants = List.of();

    /**
     * Starts an acquisition; the wait counts from here.
     *
     * @param settings the settings of the client
     * @param request the lock, the ttl and the wait
     * @param owner a fresh owner
     * @param room the waiter queues of the client
     * @throws IllegalArgumentException if the ttl does not exceed the client's skew margin
     */
    public Acquisition(ClientSettings settings, LockRequest request, Owner owner, WaiterQueues room) {
        this(settings, LockAttempt.forOne(settings.strategy(), request), owner, room);
    }

    Acquisition(ClientSettings settings, LockAttempt question, Owner owner, WaiterQueues room) {
        this(
                settings,
                question,
                owner,
                room,
                TimeBudget.until(settings, question.request().waitAtMost()));
    }

    /** Creates a part of a run that has its own time limit. */
    Acquisition(ClientSettings settings, LockAttempt question, Owner owner, WaiterQueues room, TimeBudget limit) {
        this.settings = settings;
        this.room = room;
        this.time = settings.time();
        this.question = question;
        this.request = question.request();
        this.owner = owner;
        this.holder = settings.holding().holderInfo().get().withNote(request.note());
        this.margin = settings.holding().marginFor(request.ttl());
        this.isFenced = settings.strategy().traits().contains(Trait.STRICT_FENCING);
        this.standing = new WaiterRegistration(room, request.name());
        this.takingBack = new Compensation(settings, question, owner, room);
        this.limit = limit;
        this.deadline = limit.deadline();
        Duration wait = deadline.left();
        this.faults = FaultRetry.lasting(
                settings, wait.compareTo(settings.commandTimeout()) > 0 ? wait : settings.commandTimeout());
    }

    @Override
    public Optional<TimeBudget> limit() {
        return Optional.of(limit);
    }

    /** An acquisition that may wait joins an existing local queue before its first attempt. */
    @Override
    public Step<LockOutcome> start() {
        if (request.isFair()) {
            return isPastDeadline() ? attemptIfQueueEmpty() : acquireFair(FairQueueTicket.enter(room, request, owner));
        }
        return !isPastDeadline() && standing.join() ? await() : attempt();
    }

    @Override
    public void close() {
        standing.leave(Optional.empty());
    }

    @Override
    public boolean needsCompensation() {
        return mayBeGranted() || (queueing != null && queueing.mayStand());
    }

    @Override
    public Step<Boolean> compensate() {
        return dequeue(true)
                .andThen(left -> mayBeGranted() || hasPendingCompensation() ? takingBack.run(limit) : Step.done(false));
    }

    @Override
    public boolean hasPendingCompensation() {
        return takingBack.isPending();
    }

    private boolean mayBeGranted() {
        return attemptInFlight || outcomeUnknown || mayRepeat;
    }

    /** An acquisition without a wait has no ticket and goes behind all that have one. */
    private Step<LockOutcome> attemptIfQueueEmpty() {
        LockOutcome contended = new LockOutcome.Contended(LockSnapshot.unused(request.name()));
        return faults.retrying(
                () -> FairQueueTicket.isEmpty(request.name()), isFree -> isFree ? attempt() : Step.done(contended));
    }

    /** The ticket is removed whatever the outcome. */
    private Step<LockOutcome> acquireFair(FairQueueTicket mine) {
        queueing = mine;
        standing.at(mine.place());
        return faults.retrying(mine::take, taken -> await())
                .then(
                        outcome -> dequeue(true).andThen(left -> Step.done(outcome)),
                        failure -> dequeue(true).andThen(left -> new Step.Fail<>(failure)));
    }

    private Step<Boolean> dequeue(boolean mayBeFree) {
        return queueing == null
                ? Step.done(true)
                : queueing.leave(mayBeFree, FaultRetry.lasting(settings, limit.retryTime()));
    }

    private Step<LockOutcome> attempt() {
        long started = time.nanoTime();
        Optional<Observation> previous = standing.asks(started);
        attemptInFlight = true;
        attemptNanos = started;
        newestGrants = isFenced
                ? question.names().stream()
                        .flatMap(name -> room.newestGrant(name).stream())
                        .toList()
                : List.of();
        AcquireContext context = new AcquireContext(
                request.name(), owner, request.ttl(), started, previous, standing.lastSeen(), holder);
        return question.ask(context).then(this::answered, this::failed);
    }

    private Step<LockOutcome> answered(LockOutcome outcome) {
        faults.reset();
        boolean mayHoldOthers = outcomeUnknown && question.names().size() > 1;
        boolean isRepeated = limit.takeRepeated();
        mayRepeat |= outcomeUnknown || isRepeated || wasSlow();
        blocked = false;
        silent = false;
        outcomeUnknown = false;
        late = null;
        if (outcome instanceof LockOutcome.Acquired acquired) {
            mayRepeat = false;
            return granted(acquired.lease());
        }
        if (outcome instanceof LockOutcome.Contended contended) {
            return mayHoldOthers
                    ? takingBack.run(limit).then(released -> released(contended), this::indeterminate)
                    : contended(contended);
        }
        return Step.done(outcome);
    }

    /**
     * A token that is not larger than that of an earlier grant cannot fence: the guarded data could not tell the two
     * grants apart.
     */
    private Step<LockOutcome> granted(Lease told) {
        List<Lease> leases = question.granted(told);
        Optional<Lease> wentBack = leases.stream().filter(this::wentBack).findFirst();
        leases.forEach(room::granted);
        return wentBack.isPresent()
                ? compensate()
                        .then(
                                released -> wentBack(wentBack.get(), Optional.empty()),
                                lost -> wentBack(wentBack.get(), Optional.of(lost)))
                : acquired(told.endingEarlier(margin));
    }

    /** The same owner finds its own grant. A grant to another owner since this attempt began may be newer. */
    private boolean wentBack(Lease lease) {
        return newest(lease.name())
                .filter(before -> !before.owner().equals(owner) && before.fencingToken() >= lease.fencingToken())
                .isPresent();
    }

    private Optional<Lease> newest(LockName name) {
        return newestGrants.stream().filter(lease -> lease.name().equals(name)).findFirst();
    }

    private <R> Step<R> wentBack(Lease lease, Optional<Reply.Failed> stays) {
        attemptInFlight = false;
        long newest = newest(lease.name()).orElseThrow().fencingToken();
        LOG.log(WARNING, TokenWentBackException.message(lease.name(), lease.fencingToken(), newest));
        TokenWentBackException wentBack = new TokenWentBackException(lease.name(), lease.fencingToken(), newest);
        stays.ifPresent(lost -> wentBack.addSuppressed(lost.cause()));
        try {
            settings.tokens().onTokenWentBack(lease, newest);
        } catch (RuntimeException e) {
            wentBack.addSuppressed(e);
        }
        throw wentBack;
    }

    /** A lease that ended before its grant arrived is useless; another attempt extends it. */
    private Step<LockOutcome> acquired(Lease lease) {
        if (!lease.remaining(time.nanoTime()).isZero()) {
            standing.leave(Optional.of(lease));
            return dequeue(false).andThen(left -> Step.done(new LockOutcome.Acquired(lease)));
        }
        return isPastDeadline() ? compensate().andThen(released -> readHolder()) : attempt();
    }

    /** A router repeats a command without reporting it. */
    private boolean wasSlow() {
        Duration took = Duration.ofNanos(time.nanoTime() - attemptNanos);
        return took.compareTo(settings.commandTimeout().dividedBy(PARTS_OF_A_LONG_ATTEMPT)) > 0;
    }

    private Step<LockOutcome> contended(LockOutcome.Contended contended) {
        attemptInFlight = false;
        room.recordState(contended.holder().name(), LastKnownState.in(contended.holder()));
        if (isPastDeadline()) {
            return refused(contended.holder());
        }
        standing.contended(contended.holder());
        return await();
    }

    /** Ends as contended, once nothing that this acquisition has sent can be granted any more. */
    private Step<LockOutcome> refused(LockSnapshot holder) {
        Step<LockOutcome> contended = Step.done(new LockOutcome.Contended(holder));
        return mayBeGranted()
                ? takingBack.run(limit).then(released -> compensatedThen(() -> contended), this::indeterminate)
                : contended;
    }

    private Step<LockOutcome> released(LockOutcome.Contended contended) {
        mayRepeat = false;
        return contended(contended);
    }

    /** A write that the server may execute after the release is not undone by it. */
    private Step<LockOutcome> compensatedThen(Supplier<Step<LockOutcome>> end) {
        outcomeUnknown = false;
        mayRepeat = false;
        return late == null ? end.get() : indeterminate(late);
    }

    /** Waits for the turn of this waiter. */
    private Step<LockOutcome> await() {
        Waiter.NextAction turn = standing.turn();
        if (isPastDeadline()) {
            return turn.mayAsk() && !deadline.isPast() && !blocked
                    ? lastAttempt()
                    : refused(standing.newest(time.nanoTime()));
        }
        if (turn.isNow()) {
            return turn.isPoll() && isTooLate() ? rest(turn) : runHeadAction(turn.duty());
        }
        return new Step.Pause<>(standing.waitAtMost(turn, deadline.left()), Optional.of(turn.signal()), this::await);
    }

    /** An attempt that times out leaves no time for the release after the deadline. */
    private boolean isTooLate() {
        return blocked && deadline.left().compareTo(settings.commandTimeout().dividedBy(PARTS_OF_A_LONG_ATTEMPT)) < 0;
    }

    /**
     * Only a release of the lock justifies another attempt. Waiters of this client with more time make attempts
     * meanwhile.
     */
    private Step<LockOutcome> rest(Waiter.NextAction turn) {
        standing.passTurn();
        return new Step.Pause<>(deadline.left(), Optional.of(turn.signal()), this::await);
    }

    private Step<LockOutcome> runHeadAction(WaiterQueue.HeadAction duty) {
        FairQueueTicket mine = queueing;
        return mine == null || duty == WaiterQueue.HeadAction.ASK
                ? attempt()
                : faults.retrying(() -> mine.attend(duty), done -> await());
    }

    /**
     * Makes one more attempt at the deadline. The ticket is removed before: if the lock is still held then, the next
     * waiter is notified of its release. A lock that is released while the ticket is still queued would notify no other
     * waiter.
     */
    private Step<LockOutcome> lastAttempt() {
        return dequeue(true).andThen(left -> attempt());
    }

    private Step<LockOutcome> failed(Reply.Failed failure) {
        attemptInFlight = false;
        mayRepeat |= limit.takeRepeated();
        outcomeUnknown |= failure.isAmbiguous();
        late = failure.mayExecuteLate() ? failure : late;
        if (failure.fault() == WRITE_CONFLICT) {
            standing.foundBusy();
        }
        boolean looks = mayBeBlocked(failure) && !silent;
        silent = false;
        return looks ? outOfTime(failure) : again(failure);
    }

    /** Only a write that was sent can wait for a transaction. */
    private static boolean mayBeBlocked(Reply.Failed failure) {
        return failure.isAmbiguous() && FaultClassifier.isOutOfTime(failure.cause());
    }

    private Step<LockOutcome> again(Reply.Failed failure) {
        return faults.retryOrElse(failure, this::attempt, () -> onRetriesExhausted(failure));
    }

    /**
     * Reads the lock to check whether the server replies at all. If it does not, the check is skipped after the next
     * attempt.
     */
    private Step<LockOutcome> outOfTime(Reply.Failed failure) {
        return settings.strategy().inspect(standing.awaited()).then(seen -> answers(seen, failure), lost -> {
            silent = true;
            return again(failure);
        });
    }

    /** A write that waits is not the server's fault, unless it waits for a majority to replicate it. */
    private Step<LockOutcome> answers(Optional<LockSnapshot> seen, Reply.Failed failure) {
        boolean isMine = seen.flatMap(LockSnapshot::holder).equals(Optional.of(owner.stored()));
        return isMine ? again(failure) : blocked(seen);
    }

    private Step<LockOutcome> blocked(Optional<LockSnapshot> seen) {
        faults.reset();
        blocked = true;
        standing.foundBusy();
        if (isPastDeadline()) {
            return refused(seen.orElseGet(() -> LockSnapshot.unused(standing.awaited())));
        }
        standing.lostRace();
        return await();
    }

    private Step<LockOutcome> onRetriesExhausted(Reply.Failed failure) {
        if (failure.fault() == WRITE_CONFLICT || failure.fault() == DUPLICATE_KEY) {
            return lostRace();
        }
        if (!mayBeGranted()) {
            return new Step.Fail<>(failure);
        }
        return compensate()
                .then(released -> compensatedThen(() -> new Step.Fail<>(failure)), lost -> indeterminate(failure));
    }

    /** Lost every race: reported as contended, although the lock may be free at this moment. */
    private Step<LockOutcome> lostRace() {
        faults.reset();
        if (isPastDeadline()) {
            return mayBeGranted()
                    ? compensate().then(released -> compensatedThen(this::readHolder), this::indeterminate)
                    : readHolder();
        }
        standing.lostRace();
        return await();
    }

    private Step<LockOutcome> readHolder() {
        outcomeUnknown = false;
        mayRepeat = false;
        LockSnapshot unknown = LockSnapshot.unused(standing.awaited());
        return settings.strategy()
                .inspect(standing.awaited())
                .andThen(seen -> Step.done(new LockOutcome.Contended(seen.orElse(unknown))));
    }

    private Step<LockOutcome> indeterminate(Reply.Failed failure) {
        outcomeUnknown = false;
        mayRepeat = false;
        return Step.done(new LockOutcome.Indeterminate(owner, failure.cause()));
    }

    private boolean isPastDeadline() {
        return deadline.isOver();
    }
}
