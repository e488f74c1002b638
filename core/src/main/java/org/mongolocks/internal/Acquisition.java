package org.mongolocks.internal;

import static org.mongolocks.spi.Fault.AMBIGUOUS;
import static org.mongolocks.spi.Fault.DUPLICATE_KEY;
import static org.mongolocks.spi.Fault.UNKNOWN_COMMIT;
import static org.mongolocks.spi.Fault.WRITE_CONFLICT;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
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
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Observation;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * Acquires what one {@link Question} asks for: asks, waits while another holds it, asks again after a fault, and takes an unanswered question
 * back. One object serves one run, on one thread at a time.
 *
 * <ol>
 *   <li>The strategy asks once. A grant ends the acquisition.
 *   <li>Contended: wait in the {@link WaitingRoom}, never past the deadline, and ask again when the turn has come. At the
 *       deadline the outcome is {@link LockOutcome.Contended}.
 *   <li>A fault: ask again with the same owner, which finds a grant whose reply was lost.
 *   <li>Too many faults: if some question may have been heard, release in the owner's name. When that is answered, the
 *       acquisition has failed and nothing is held; when it is not, or when some question may be executed after it, the
 *       outcome is {@link LockOutcome.Indeterminate}.
 * </ol>
 */
public final class Acquisition implements Undertaking<LockOutcome> {
    private final ClientSettings settings;
    private final TimeSource time;
    private final Question question;
    private final LockRequest request;
    private final Owner owner;
    private final HolderInfo holder;
    private final WaitingRoom room;
    private final long deadlineNanos;
    private final Duration margin;
    private final FaultRetry faults;
    private @Nullable Place place;
    private LockName awaited;
    private boolean asking;
    private boolean doubted;
    private boolean mayComeLate;

    /**
     * Begins an acquisition, on the thread that asks; the wait counts from here.
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
        this.settings = settings;
        this.room = room;
        this.time = settings.time();
        this.question = question;
        this.request = question.request();
        this.awaited = request.name();
        this.owner = owner;
        this.holder = settings.holding().holderInfo().get().withNote(request.note());
        this.margin = settings.holding().marginFor(request.ttl());
        long now = time.nanoTime();
        this.deadlineNanos = now + request.waitAtMost().toNanos();
        long patience = Math.max(
                request.waitAtMost().toNanos(), settings.commandTimeout().toNanos());
        this.faults = new FaultRetry(settings, now + patience);
    }

    /** Who wants to wait, and finds others of this client waiting, asks only when its turn comes. */
    @Override
    public Step<LockOutcome> start() {
        place = isOver() ? null : room.join(request.name()).orElse(null);
        return place == null ? attempt() : await();
    }

    @Override
    public void end() {
        leave(Optional.empty());
    }

    @Override
    public boolean mayHold() {
        return asking || doubted;
    }

    @Override
    public Step<Boolean> takeBack() {
        return InTurn.run(question.names().stream()
                .<Supplier<Step<Boolean>>>map(name -> () -> takeBack(name))
                .toList());
    }

    private Step<Boolean> takeBack(LockName name) {
        long ttlFromNow = time.nanoTime() + request.ttl().toNanos();
        return room.freeing(name, new Releasing(settings, name, owner, OptionalLong.empty(), ttlFromNow).start());
    }

    private Step<LockOutcome> attempt() {
        Optional<Observation> previous = Optional.empty();
        long started = time.nanoTime();
        if (place != null) {
            place.asks();
            previous = place.observed(started);
        }
        asking = true;
        AcquireContext context = new AcquireContext(request.name(), owner, request.ttl(), started, previous, holder);
        return question.ask(context).fold(this::answered, this::failed);
    }

    private Step<LockOutcome> answered(LockOutcome outcome) {
        faults.answered();
        boolean mayHoldOthers = doubted && question.names().size() > 1;
        doubted = false;
        mayComeLate = false;
        if (outcome instanceof LockOutcome.Acquired acquired) {
            return acquired(acquired.lease().endingEarlier(margin));
        }
        if (outcome instanceof LockOutcome.Contended contended) {
            return mayHoldOthers
                    ? takeBack().fold(released -> contended(contended), this::unsettled)
                    : contended(contended);
        }
        return Step.done(outcome);
    }

    /** A lease that has ended before its grant arrived is of no use; asking again makes it longer. */
    private Step<LockOutcome> acquired(Lease lease) {
        if (!lease.remaining(time.nanoTime()).isZero()) {
            leave(Optional.of(lease));
            return Step.done(new LockOutcome.Acquired(lease));
        }
        return isOver() ? takeBack().andThen(released -> look()) : attempt();
    }

    private Step<LockOutcome> contended(LockOutcome.Contended contended) {
        asking = false;
        if (isOver()) {
            return Step.done(contended);
        }
        standInLineFor(contended.holder().name());
        inLine().contended(contended.holder());
        return await();
    }

    /** Waits for its turn, and asks once more at the deadline if nobody stands before it. */
    private Step<LockOutcome> await() {
        Place.Turn turn = inLine().turn();
        if (turn.isNow() || (isOver() && turn.isFirst())) {
            return attempt();
        }
        return isOver()
                ? Step.done(new LockOutcome.Contended(newest()))
                : new Step.Pause<>(turn.waitAtMost(left()), Optional.of(turn.signal()), this::await);
    }

    private Step<LockOutcome> failed(Reply.Failed failure) {
        asking = false;
        doubted |= failure.fault() == AMBIGUOUS || failure.fault() == UNKNOWN_COMMIT;
        mayComeLate |= failure.mayComeLate();
        return faults.again(failure, this::attempt, () -> enough(failure));
    }

    private Step<LockOutcome> enough(Reply.Failed failure) {
        if (failure.fault() == WRITE_CONFLICT || failure.fault() == DUPLICATE_KEY) {
            return outrun();
        }
        return doubted
                ? takeBack().fold(released -> takenBack(failure), lost -> unsettled(failure))
                : new Step.Fail<>(failure);
    }

    /** Others were faster each time. That is contention, though nobody may hold the lock at this moment. */
    private Step<LockOutcome> outrun() {
        faults.answered();
        if (isOver()) {
            return doubted ? takeBack().andThen(released -> look()) : look();
        }
        inLine().outrun();
        return await();
    }

    private Step<LockOutcome> look() {
        doubted = false;
        LockSnapshot unknown = LockSnapshot.unused(awaited);
        return settings.strategy()
                .inspect(awaited)
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

    /** Of several locks another one may be in the way now. */
    private void standInLineFor(LockName name) {
        if (!name.equals(awaited)) {
            leave(Optional.empty());
            place = null;
            awaited = name;
        }
    }

    private Place inLine() {
        Place mine = place == null ? room.enter(awaited) : place;
        place = mine;
        return mine;
    }

    private void leave(Optional<Lease> granted) {
        if (place != null) {
            place.leave(granted);
        }
    }

    private LockSnapshot newest() {
        return inLine().observed(time.nanoTime())
                .map(Observation::snapshot)
                .orElseGet(() -> LockSnapshot.unused(awaited));
    }

    private boolean isOver() {
        return left().isZero();
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(0, deadlineNanos - time.nanoTime()));
    }
}
