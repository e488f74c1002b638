package org.mongolocks.internal;

import static org.mongolocks.spi.Fault.DUPLICATE_KEY;
import static org.mongolocks.spi.Fault.WRITE_CONFLICT;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientSettings;
import org.mongolocks.HolderInfo;
import org.mongolocks.Lease;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.TimeSource;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LastSeen;
import org.mongolocks.spi.Observation;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * Acquires one lock: asks, waits while another holds it, asks again after a fault, and takes an unanswered question
 * back. One object serves one run, on one thread at a time.
 *
 * <ol>
 *   <li>The strategy asks once. A grant ends the acquisition.
 *   <li>Contended: wait in the {@link WaitingRoom}, never past the deadline, and ask again when the turn has come. At the
 *       deadline the outcome is {@link LockOutcome.Contended}.
 *   <li>A fault: ask again with the same owner, which finds a grant whose reply was lost.
 *   <li>Too many faults: if some question may have been heard, release in the owner's name. When that is answered, the
 *       acquisition has failed and nothing is held; when it is not, or when some question may be executed after it, the
 *       outcome is {@link LockOutcome.Indeterminate}. What no time was left for is released later.
 * </ol>
 *
 * <p>In order it stands in the {@linkplain Queueing queue} of all clients first, and asks while it is the head.
 */
public final class Acquisition implements Undertaking<LockOutcome> {
    private final ClientSettings settings;
    private final TimeSource time;
    private final Question question;
    private final LockRequest request;
    private final Owner owner;
    private final HolderInfo holder;
    private final WaitingRoom room;
    private final Standing standing;
    private final Deadline deadline;
    private final CommandLimit limit;
    private final Duration margin;
    private final TakingBack takingBack;
    private final FaultRetry faults;
    private @Nullable Queueing queueing;
    private boolean asking;
    private boolean doubted;
    private boolean mayComeLate;

    /**
     * Begins an acquisition; the wait counts from here.
     *
     * @param settings the settings of the client
     * @param request what to acquire
     * @param owner a fresh owner
     * @param room where the acquisitions of the client wait
     * @throws IllegalArgumentException if the ttl is not longer than the client's skew margin
     */
    public Acquisition(ClientSettings settings, LockRequest request, Owner owner, WaitingRoom room) {
        this(settings, Question.forOne(settings.strategy(), request), owner, room);
    }

    Acquisition(ClientSettings settings, Question question, Owner owner, WaitingRoom room) {
        this(
                settings,
                question,
                owner,
                room,
                CommandLimit.until(settings, question.request().waitAtMost()));
    }

    /** Is a part of a run that has a limit of its own. */
    Acquisition(ClientSettings settings, Question question, Owner owner, WaitingRoom room, CommandLimit limit) {
        this.settings = settings;
        this.room = room;
        this.time = settings.time();
        this.question = question;
        this.request = question.request();
        this.owner = owner;
        this.holder = settings.holding().holderInfo().get().withNote(request.note());
        this.margin = settings.holding().marginFor(request.ttl());
        this.standing = new Standing(room, request.name());
        this.takingBack = new TakingBack(settings, question, owner, room);
        this.limit = limit;
        this.deadline = limit.deadline();
        Duration wait = deadline.left();
        this.faults = FaultRetry.lasting(
                settings, wait.compareTo(settings.commandTimeout()) > 0 ? wait : settings.commandTimeout());
    }

    @Override
    public Optional<CommandLimit> limit() {
        return Optional.of(limit);
    }

    /** Who wants to wait, and finds others of this client waiting, asks only when its turn comes. */
    @Override
    public Step<LockOutcome> start() {
        if (request.isInOrder()) {
            return isOver() ? unlessSomebodyStands() : inOrder(Queueing.enter(room, request, owner));
        }
        return !isOver() && standing.join() ? await() : attempt();
    }

    @Override
    public void end() {
        standing.leave(Optional.empty());
    }

    @Override
    public boolean mayHold() {
        return mayBeGranted() || (queueing != null && queueing.mayStand());
    }

    @Override
    public Step<Boolean> takeBack() {
        return leaveQueue(true)
                .andThen(left -> mayBeGranted() || isOwing() ? takingBack.within(limit) : Step.done(false));
    }

    @Override
    public boolean isOwing() {
        return takingBack.isOwed();
    }

    private boolean mayBeGranted() {
        return asking || doubted;
    }

    /** Without a wait there is no ticket: whoever has one comes first. */
    private Step<LockOutcome> unlessSomebodyStands() {
        LockOutcome contended = new LockOutcome.Contended(LockSnapshot.unused(request.name()));
        return faults.insist(
                () -> Queueing.isEmpty(request.name()), isFree -> isFree ? attempt() : Step.done(contended));
    }

    /** However it ends, the ticket is taken out. */
    private Step<LockOutcome> inOrder(Queueing mine) {
        queueing = mine;
        standing.at(mine.place());
        return faults.insist(mine::take, taken -> await())
                .fold(
                        outcome -> leaveQueue(true).andThen(left -> Step.done(outcome)),
                        failure -> leaveQueue(true).andThen(left -> new Step.Fail<>(failure)));
    }

    private Step<Boolean> leaveQueue(boolean mayBeFree) {
        return queueing == null
                ? Step.done(true)
                : queueing.leave(mayBeFree, FaultRetry.lasting(settings, limit.patience()));
    }

    private Step<LockOutcome> attempt() {
        long started = time.nanoTime();
        Optional<Observation> previous = standing.asks(started);
        asking = true;
        AcquireContext context = new AcquireContext(
                request.name(), owner, request.ttl(), started, previous, standing.lastSeen(), holder);
        return question.ask(context).fold(this::answered, this::failed);
    }

    private Step<LockOutcome> answered(LockOutcome outcome) {
        faults.answered();
        boolean mayHoldOthers = doubted && question.names().size() > 1;
        doubted = false;
        mayComeLate = false;
        if (outcome instanceof LockOutcome.Acquired acquired) {
            question.names().forEach(name -> room.saw(name, LastSeen.HELD));
            return acquired(acquired.lease().endingEarlier(margin));
        }
        if (outcome instanceof LockOutcome.Contended contended) {
            return mayHoldOthers
                    ? takingBack.within(limit).fold(released -> contended(contended), this::unsettled)
                    : contended(contended);
        }
        return Step.done(outcome);
    }

    /** A lease that has ended before its grant arrived is of no use; asking again makes it longer. */
    private Step<LockOutcome> acquired(Lease lease) {
        if (!lease.remaining(time.nanoTime()).isZero()) {
            standing.leave(Optional.of(lease));
            return leaveQueue(false).andThen(left -> Step.done(new LockOutcome.Acquired(lease)));
        }
        return isOver() ? takeBack().andThen(released -> look()) : attempt();
    }

    private Step<LockOutcome> contended(LockOutcome.Contended contended) {
        asking = false;
        room.saw(contended.holder().name(), LastSeen.in(contended.holder()));
        if (isOver()) {
            return Step.done(contended);
        }
        standing.contended(contended.holder());
        return await();
    }

    /** Waits for its turn. */
    private Step<LockOutcome> await() {
        Place.Turn turn = standing.turn();
        if (isOver()) {
            return turn.mayAsk() && !deadline.isPast()
                    ? lastAttempt()
                    : Step.done(new LockOutcome.Contended(standing.newest(time.nanoTime())));
        }
        if (turn.isNow()) {
            return turnToDo(turn.duty());
        }
        return new Step.Pause<>(standing.waitAtMost(turn, deadline.left()), Optional.of(turn.signal()), this::await);
    }

    private Step<LockOutcome> turnToDo(WaitingLine.Duty duty) {
        Queueing mine = queueing;
        return mine == null || duty == WaitingLine.Duty.ASK
                ? attempt()
                : faults.insist(() -> mine.attend(duty), done -> await());
    }

    /**
     * Asks once more at the deadline. The ticket goes before that: if the lock is held even then, whoever is next hears
     * of its release; a lock that is freed before a ticket goes would be nobody's.
     */
    private Step<LockOutcome> lastAttempt() {
        return leaveQueue(true).andThen(left -> attempt());
    }

    private Step<LockOutcome> failed(Reply.Failed failure) {
        asking = false;
        doubted |= failure.isDoubtful();
        mayComeLate |= failure.mayComeLate();
        if (failure.fault() == WRITE_CONFLICT) {
            standing.foundBusy();
        }
        return faults.again(failure, this::attempt, () -> enough(failure));
    }

    private Step<LockOutcome> enough(Reply.Failed failure) {
        if (failure.fault() == WRITE_CONFLICT || failure.fault() == DUPLICATE_KEY) {
            return outrun();
        }
        if (!doubted) {
            return new Step.Fail<>(failure);
        }
        return takeBack().fold(released -> takenBack(failure), lost -> unsettled(failure));
    }

    /** Others were faster each time. That is contention, though nobody may hold the lock at this moment. */
    private Step<LockOutcome> outrun() {
        faults.answered();
        if (isOver()) {
            return doubted ? takeBack().fold(released -> look(), this::unsettled) : look();
        }
        standing.outrun();
        return await();
    }

    private Step<LockOutcome> look() {
        doubted = false;
        LockSnapshot unknown = LockSnapshot.unused(standing.awaited());
        return settings.strategy()
                .inspect(standing.awaited())
                .andThen(seen -> Step.done(new LockOutcome.Contended(seen.orElse(unknown))));
    }

    /** What the server may execute after the release cannot be taken back by it. */
    private Step<LockOutcome> takenBack(Reply.Failed failure) {
        doubted = false;
        return mayComeLate ? unsettled(failure) : new Step.Fail<>(failure);
    }

    private Step<LockOutcome> unsettled(Reply.Failed failure) {
        doubted = false;
        return Step.done(new LockOutcome.Indeterminate(owner, failure.cause()));
    }

    private boolean isOver() {
        return deadline.isOver();
    }
}
