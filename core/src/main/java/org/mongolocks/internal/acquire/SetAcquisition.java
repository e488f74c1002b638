package org.mongolocks.internal.acquire;

import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.Holds;
import org.mongolocks.internal.run.CommandLimit;
import org.mongolocks.internal.run.Undertaking;
import org.mongolocks.internal.wait.WaitingRoom;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientSettings;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSetRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.Owner;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.Trait;

/**
 * An acquisition of several locks, all or none. One object serves one run, on one thread at a time.
 *
 * <ol>
 *   <li>With the trait {@link Trait#MULTI_LOCK}, all locks are acquired in one step, by one {@link Acquisition}.
 *   <li>With other strategies the locks are acquired one after another, in the order of their names, by one
 *       {@link Acquisition} each, of the same owner. Since all clients keep that order there is no deadlock. The locks
 *       that are held are kept alive meanwhile.
 *   <li>Leases of which much has passed are renewed, and all locks are returned.
 *   <li>If one lock is contended until the deadline, after a fault, or if a held lock is lost, all locks are released.
 *       If that gets no reply either, the outcome is {@link LockOutcome.Indeterminate}.
 * </ol>
 */
public final class SetAcquisition implements Undertaking<SetGrant> {
    private final ClientSettings settings;
    private final LockSetRequest request;
    private final WaitingRoom room;
    private final Holds holds;
    private final Owner owner;
    private final CommandLimit limit;
    private final Iterator<Supplier<Question>> questions;
    private final List<Hold> taken = new ArrayList<>();
    private final Alarm alarm = new Alarm();
    private @Nullable Acquisition current;
    private boolean gaveUp;
    private volatile boolean owes;

    /**
     * Starts an acquisition; the wait counts from here.
     *
     * @param settings the settings of the client
     * @param request the locks, the ttl and the wait
     * @param room the waiter queues of the client
     * @param holds the locks that the client holds
     * @throws IllegalArgumentException if the ttl does not exceed the client's skew margin
     */
    public SetAcquisition(ClientSettings settings, LockSetRequest request, WaitingRoom room, Holds holds) {
        settings.holding().marginFor(request.ttl());
        this.settings = settings;
        this.request = request;
        this.room = room;
        this.holds = holds;
        this.owner = settings.newOwner();
        this.limit = CommandLimit.until(settings, request.waitAtMost());
        this.questions = questions(settings.strategy()).iterator();
    }

    @Override
    public Step<SetGrant> start() {
        return next();
    }

    @Override
    public void end() {
        alarm.rest();
        if (current != null) {
            current.end();
        }
    }

    @Override
    public boolean mayHold() {
        return !gaveUp && (!taken.isEmpty() || (current != null && current.mayHold()));
    }

    @Override
    public boolean isOwing() {
        return owes || (current != null && current.isOwing());
    }

    @Override
    public Optional<CommandLimit> limit() {
        return Optional.of(limit);
    }

    @Override
    public Step<Boolean> takeBack() {
        List<Supplier<Step<Boolean>>> programs = new ArrayList<>();
        if (current != null && (current.mayHold() || current.isOwing())) {
            programs.add(current::takeBack);
        }
        taken.forEach(Hold::notReleased);
        taken.forEach(hold -> programs.add(() -> release(hold)));
        owes = !taken.isEmpty();
        return InTurn.run(programs).fold(this::takenBack, Step.Fail::new);
    }

    private Step<Boolean> takenBack(boolean wereHeld) {
        owes = false;
        taken.clear();
        return Step.done(wereHeld);
    }

    private List<Supplier<Question>> questions(LockStrategy strategy) {
        return strategy.traits().contains(Trait.MULTI_LOCK)
                ? List.of(() -> new AllAtOnce(strategy, request))
                : request.names().stream().map(this::forOne).toList();
    }

    private Supplier<Question> forOne(LockName name) {
        return () -> Question.forOne(settings.strategy(), request.forOne(name));
    }

    private Step<SetGrant> next() {
        Optional<SetGrant> lost = firstLost();
        if (lost.isPresent()) {
            return giveUp(Step.done(lost.get()));
        }
        return questions.hasNext()
                ? ask(questions.next().get())
                : new Freshening(settings, taken, limit).start().fold(fresh -> handOut(), this::failed);
    }

    private Step<SetGrant> ask(Question question) {
        Acquisition asking = new Acquisition(settings, question, owner, room, limit);
        current = asking;
        return alarm.guard(asking.start(), () -> breakOff(asking))
                .fold(outcome -> answered(question, outcome), this::failed);
    }

    /** A held lock was lost while this one was awaited. */
    private Step<LockOutcome> breakOff(Acquisition asking) {
        Step<LockOutcome> nothing = Step.done(
                new LockOutcome.Contended(LockSnapshot.unused(request.names().get(taken.size()))));
        return asking.mayHold()
                ? asking.takeBack()
                        .fold(
                                released -> nothing,
                                lost -> Step.done(new LockOutcome.Indeterminate(owner, lost.cause())))
                : nothing;
    }

    private Step<SetGrant> answered(Question question, LockOutcome outcome) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            question.granted(acquired.lease()).forEach(this::take);
            leaveLine();
            return next();
        }
        leaveLine();
        if (outcome instanceof LockOutcome.Indeterminate unknown) {
            return giveUp(Step.done(new SetGrant.Unknown(unknown)));
        }
        SetGrant contended = new SetGrant.Contended(((LockOutcome.Contended) outcome).holder());
        return giveUp(Step.done(firstLost().orElse(contended)));
    }

    private Step<SetGrant> failed(Reply.Failed failure) {
        leaveLine();
        return giveUp(new Step.Fail<>(failure));
    }

    /** Registers a grant; if the client was closed meanwhile, the grant is released. */
    private void take(Lease lease) {
        LockRequest one = request.forOne(lease.name());
        Optional<Hold> hold = holds.add(questions.hasNext() ? one.keepAlive() : one, lease);
        if (hold.isEmpty()) {
            holds.requireOpen();
        }
        hold.ifPresent(taken::add);
        hold.ifPresent(alarm::watch);
    }

    private void leaveLine() {
        if (current != null) {
            current.end();
            current = current.isOwing() ? current : null;
        }
    }

    private Optional<SetGrant> firstLost() {
        return taken.stream()
                .filter(hold -> !hold.isHeld())
                .findFirst()
                .map(hold -> new SetGrant.Lost(hold.lease(), hold.loss().orElse(LossReason.EXPIRED)));
    }

    private Step<SetGrant> handOut() {
        Optional<SetGrant> lost = firstLost();
        if (lost.isPresent()) {
            return giveUp(Step.done(lost.get()));
        }
        if (!request.isKeptAlive()) {
            taken.forEach(holds::letPass);
        }
        alarm.rest();
        return Step.done(new SetGrant.Held(List.copyOf(taken)));
    }

    /** A lock that cannot be released may be held until its ttl has passed, whatever became of the others. */
    private Step<SetGrant> giveUp(Step<SetGrant> end) {
        Step<SetGrant> givenUp = takeBack()
                .fold(
                        released -> end,
                        lost -> Step.done(new SetGrant.Unknown(new LockOutcome.Indeterminate(owner, lost.cause()))));
        gaveUp = true;
        return givenUp;
    }

    private Step<Boolean> release(Hold hold) {
        return room.freeing(hold.lease().name(), hold.releasing(settings, limit.patience()));
    }
}
