package org.mongolocks.internal.reentrant;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.internal.acquire.AcquireResult;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.run.CompensatedProgram;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.Step;

/**
 * One re-entrant acquisition. It enters at once a lock that the owner holds, and waits while another acquisition or
 * release of the same owner is in progress. Otherwise the caller must acquire the lock from the server. One object
 * serves one acquisition.
 */
public final class ReentrantAcquisition implements CompensatedProgram<ReentrantAcquisition.Outcome> {
    private final ReentrantHolds reentries;
    private final ClientSettings settings;
    private final ReentrantHolds.Key key;
    private final LockRequest request;
    private final TimeBudget budget;
    private Optional<Hold> hold = Optional.empty();
    private Optional<HoldReference> share = Optional.empty();
    private ReentrantHolds.@Nullable Entry asked;
    private boolean ended;

    /** The outcome of a re-entrant acquisition. */
    public enum Outcome {
        /** The lock was entered; nothing was sent. */
        ENTERED,
        /** The owner does not hold the lock: the caller must acquire it. */
        TO_BE_ACQUIRED,
        /** Another acquisition of the same owner was in progress for longer than the wait. */
        CONTENDED
    }

    ReentrantAcquisition(ReentrantHolds reentries, ReentrantHolds.Key key, LockRequest request) {
        this.reentries = reentries;
        this.settings = reentries.settings();
        this.key = key;
        this.request = request;
        this.budget = TimeBudget.waitingAtMost(
                settings, request.waitAtMost(), settings.time().nanoTime());
    }

    /** Sends nothing; it is done at once unless it must wait. */
    @Override
    public Step<Outcome> start() {
        ReentrantHolds.Lookup found = reentries.enter(key);
        if (found.isFresh()) {
            attempt(found.entry());
            return Step.done(Outcome.TO_BE_ACQUIRED);
        }
        if (found.entered().isPresent()) {
            enter(found.entry(), found.entered().get());
            return Step.done(Outcome.ENTERED);
        }
        Duration left = budget.waitLeft();
        return left.isZero()
                ? Step.done(Outcome.CONTENDED)
                : new Step.Pause<>(left, Optional.of(found.changed()), this::start);
    }

    /** Returns the request for the remaining acquisition, with what is left of its wait. */
    public LockRequest remainingRequest() {
        return request.waitAtMost(budget.waitLeft());
    }

    /** Returns what an owner learns whose own acquisition was in progress for longer than the wait: no holder. */
    public AcquireResult.Contended contended() {
        return new AcquireResult.Contended(LockSnapshot.unused(request.name()), request.waitAtMost());
    }

    /** Records the lock that the caller acquired. */
    public HoldReference acquired(Hold granted) {
        ReentrantHolds.Entry mine = stopAttempts();
        return mine == null ? HoldReference.exclusive() : mine.acquired(granted);
    }

    /** Returns the lock that was entered. */
    public synchronized Hold hold() {
        return hold.orElseThrow();
    }

    /** Returns the caller's reference to the lock that was entered. */
    public synchronized HoldReference share() {
        return share.orElseThrow();
    }

    @Override
    public synchronized boolean needsCompensation() {
        return share.isPresent();
    }

    @Override
    public Step<Boolean> compensate() {
        HoldReference mine = share();
        return mine.release() == HoldReference.ReleaseAction.LAST
                ? reentries
                        .releasing(hold())
                        .then(done -> ended(mine, Step.done(done)), lost -> ended(mine, new Step.Fail<>(lost)))
                : Step.done(true);
    }

    /**
     * Ends the acquisition, which goes on after the run that waits; if the lock was not acquired, the next caller may
     * acquire it. Further calls have no effect.
     */
    public void end() {
        ReentrantHolds.Entry mine = over();
        if (mine != null) {
            mine.forget();
        }
    }

    /** An acquisition that ended while it waited takes no entry. */
    private void attempt(ReentrantHolds.Entry entry) {
        if (!begins(entry)) {
            entry.forget();
        }
    }

    private synchronized boolean begins(ReentrantHolds.Entry entry) {
        asked = ended ? null : entry;
        return !ended;
    }

    private synchronized ReentrantHolds.@Nullable Entry over() {
        ended = true;
        return stopAttempts();
    }

    private synchronized ReentrantHolds.@Nullable Entry stopAttempts() {
        ReentrantHolds.Entry mine = asked;
        asked = null;
        return mine;
    }

    private void enter(ReentrantHolds.Entry entry, Hold entered) {
        synchronized (this) {
            hold = Optional.of(entered);
            share = Optional.of(new HoldReference(entry));
        }
        if (request.isKeptAlive()) {
            entry.keepAlive(entered, request.keepAliveLimit());
        }
    }

    private static Step<Boolean> ended(HoldReference last, Step<Boolean> end) {
        last.released();
        return end;
    }
}
