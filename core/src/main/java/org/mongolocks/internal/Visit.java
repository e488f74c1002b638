package org.mongolocks.internal;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientSettings;
import org.mongolocks.LockRequest;
import org.mongolocks.spi.Step;

/**
 * Enters one lock in somebody's name: at once where it is held in that name; after waiting, where it is asked for or
 * released in that name at the moment; else the visitor is to ask the server. One object serves one acquisition.
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

    /** Says what became of a visit. */
    public enum Entrance {
        /** It was entered; nothing was asked. */
        ENTERED,
        /** It is not held in that name: the visitor is to acquire it. */
        TO_BE_ACQUIRED,
        /** Another was at it in the same name, longer than the visitor waits. */
        CONTENDED
    }

    Visit(Reentries reentries, Reentries.Key key, LockRequest request) {
        this.reentries = reentries;
        this.settings = reentries.settings();
        this.key = key;
        this.request = request;
        this.deadline = new Deadline(settings, request.waitAtMost());
    }

    /** Sends nothing; it is done at once unless there is something to wait for. */
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
     * Gives what is left to acquire.
     *
     * @return the request, with what is left of its wait
     */
    public LockRequest rest() {
        return request.waitAtMost(deadline.left());
    }

    /**
     * Takes in what the visitor acquired.
     *
     * @param granted the lock
     * @return the visitor's share of it
     */
    public Share acquired(Hold granted) {
        Reentries.Entry mine = askNoMore();
        return mine == null ? Share.sole() : mine.acquired(granted, request.isKeptAlive());
    }

    /**
     * Gives the lock that was entered.
     *
     * @return the lock
     */
    public synchronized Hold hold() {
        return hold.orElseThrow();
    }

    /**
     * Gives the visitor's share of the lock that was entered.
     *
     * @return the share
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
     * Gives the waiting alone. When that has ended the visit goes on: what is to be acquired stays the visitor's.
     *
     * @return what a runner runs
     */
    public Undertaking<Entrance> waiting() {
        return new Waiting();
    }

    /** What was to be acquired and was not, the next one asks for. It is harmless to end it again. */
    @Override
    public void end() {
        Reentries.Entry mine = over();
        if (mine != null) {
            mine.forget();
        }
    }

    /** A visit that has ended while it waited asks for nothing. */
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

    /** Ends without ending the visit. */
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
