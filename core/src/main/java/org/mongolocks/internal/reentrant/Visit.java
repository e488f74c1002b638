package org.mongolocks.internal.reentrant;

import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.run.Deadline;
import org.mongolocks.internal.run.Undertaking;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientSettings;
import org.mongolocks.LockRequest;
import org.mongolocks.spi.Step;

/**
 * One re-entrant acquisition: it enters at once a lock that the owner holds; it waits while another acquisition or
 * release of the same owner is in progress; otherwise the caller must acquire the lock from the server. One object
 * serves one acquisition.
 */
public final class Visit implements Undertaking<Visit.Entrance> {
    private final Reentries reentries;
    private final ClientSettings settings;
    private final Reentries.Key key;
    private final LockRequest request;
    private final Deadline deadline;
    private Optional<Hold> hold = Optional.empty();
    private Optional<Share> share = Optional.empty();
    private Reentries.@Nullable Entry asked;
    private boolean ended;

    /** The outcome of a re-entrant acquisition. */
    public enum Entrance {
        /** The lock was entered; nothing was sent. */
        ENTERED,
        /** The owner does not hold the lock: the caller must acquire it. */
        TO_BE_ACQUIRED,
        /** Another acquisition of the same owner was in progress for longer than the wait. */
        CONTENDED
    }

    Visit(Reentries reentries, Reentries.Key key, LockRequest request) {
        this.reentries = reentries;
        this.settings = reentries.settings();
        this.key = key;
        this.request = request;
        this.deadline = new Deadline(settings, request.waitAtMost());
    }

    /** Sends nothing; it is done at once unless it must wait. */
    @Override
    public Step<Entrance> start() {
        Reentries.Found found = reentries.enter(key);
        if (found.isFresh()) {
            ask(found.entry());
            return Step.done(Entrance.TO_BE_ACQUIRED);
        }
        if (found.entered().isPresent()) {
            enter(found.entry(), found.entered().get());
            return Step.done(Entrance.ENTERED);
        }
        Duration left = deadline.left();
        return left.isZero()
                ? Step.done(Entrance.CONTENDED)
                : new Step.Pause<>(left, Optional.of(found.changed()), this::start);
    }

    /**
     * Returns the request for the remaining acquisition.
     *
     * @return the request, with what is left of its wait
     */
    public LockRequest rest() {
        return request.waitAtMost(deadline.left());
    }

    /**
     * Records the lock that the caller acquired.
     *
     * @param granted the lock
     * @return the caller's reference to it
     */
    public Share acquired(Hold granted) {
        Reentries.Entry mine = askNoMore();
        return mine == null ? Share.sole() : mine.acquired(granted, request.isKeptAlive());
    }

    /**
     * Returns the lock that was entered.
     *
     * @return the lock
     */
    public synchronized Hold hold() {
        return hold.orElseThrow();
    }

    /**
     * Returns the caller's reference to the lock that was entered.
     *
     * @return the reference
     */
    public synchronized Share share() {
        return share.orElseThrow();
    }

    @Override
    public synchronized boolean mayHold() {
        return share.isPresent();
    }

    @Override
    public Step<Boolean> takeBack() {
        Share mine = share();
        return mine.giveBack() == Share.Part.LAST
                ? reentries
                        .releasing(hold())
                        .fold(done -> ended(mine, Step.done(done)), lost -> ended(mine, new Step.Fail<>(lost)))
                : Step.done(true);
    }

    /**
     * Returns the wait alone. When it has ended the acquisition goes on: the entry to acquire stays with this caller.
     *
     * @return the program for a runner
     */
    public Undertaking<Entrance> waiting() {
        return new Waiting();
    }

    /**
     * Ends the acquisition; if the lock was not acquired, the next caller may acquire it. Further calls have no effect.
     */
    @Override
    public void end() {
        Reentries.Entry mine = over();
        if (mine != null) {
            mine.forget();
        }
    }

    /** An acquisition that ended while it waited takes no entry. */
    private void ask(Reentries.Entry entry) {
        if (!begins(entry)) {
            entry.forget();
        }
    }

    private synchronized boolean begins(Reentries.Entry entry) {
        asked = ended ? null : entry;
        return !ended;
    }

    private synchronized Reentries.@Nullable Entry over() {
        ended = true;
        return askNoMore();
    }

    private synchronized Reentries.@Nullable Entry askNoMore() {
        Reentries.Entry mine = asked;
        asked = null;
        return mine;
    }

    private void enter(Reentries.Entry entry, Hold entered) {
        synchronized (this) {
            hold = Optional.of(entered);
            share = Optional.of(new Share(entry));
        }
        if (request.isKeptAlive()) {
            entry.keepAlive(entered);
        }
    }

    private static Step<Boolean> ended(Share last, Step<Boolean> end) {
        last.released();
        return end;
    }

    /** The wait, whose end does not end the acquisition. */
    private final class Waiting implements Undertaking<Entrance> {
        @Override
        public Step<Entrance> start() {
            return Visit.this.start();
        }

        @Override
        public boolean mayHold() {
            return Visit.this.mayHold();
        }

        @Override
        public Step<Boolean> takeBack() {
            return Visit.this.takeBack();
        }

        @Override
        public void end() {}
    }
}
