package org.mongolocks.study.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/** Writes a history. Not thread-safe. */
public final class Recorder {
    private final List<Event> events = new ArrayList<>();
    private final LongSupplier now;

    /**
     * Begins.
     *
     * @param now the observer's time in nanoseconds
     */
    public Recorder(LongSupplier now) {
        this.now = now;
    }

    /**
     * Begins a line about a process.
     *
     * @param process which one
     * @param op what it is about
     * @param phase how far it has come
     * @return the line, to be completed and {@linkplain Line#add() added}
     */
    public Line line(int process, Op op, Phase phase) {
        return new Line(process, op, phase);
    }

    /**
     * Ends the history.
     *
     * @param ttlNanos the length of every lease
     * @return the history
     */
    public History history(long ttlNanos) {
        return new History(ttlNanos, events);
    }

    /** Is a line that is being written. */
    public final class Line {
        private final int process;
        private final Op op;
        private final Phase phase;
        private int grant;
        private long token;
        private long commit;
        private long fromNanos;
        private long untilNanos;
        private long value;
        private String note = "";
        private int lock;

        private Line(int process, Op op, Phase phase) {
            this.process = process;
            this.op = op;
            this.phase = phase;
        }

        /** Says which acquisition it belongs to. */
        public Line grant(int which) {
            grant = which;
            return this;
        }

        /** Says with which token, and where the server decided it. */
        public Line decided(long withToken, long atCommit) {
            token = withToken;
            commit = atCommit;
            return this;
        }

        /** Says from when to when the holder believes in its lease. */
        public Line lease(long from, long until) {
            fromNanos = from;
            untilNanos = until;
            return this;
        }

        /** Says what was read or written. */
        public Line value(long what) {
            value = what;
            return this;
        }

        /** Tells something for people. */
        public Line note(String text) {
            note = text;
            return this;
        }

        /** Says which of several locks it is about. */
        public Line lock(int which) {
            lock = which;
            return this;
        }

        /** Adds the line to the history. */
        public void add() {
            events.add(new Event(
                    events.size(),
                    now.getAsLong(),
                    process,
                    op,
                    phase,
                    grant,
                    token,
                    commit,
                    fromNanos,
                    untilNanos,
                    value,
                    note,
                    lock));
        }
    }
}
