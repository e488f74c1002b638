package org.mongolocks.study.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/** Records a history. Not thread-safe. */
public final class Recorder {
    private final List<Event> events = new ArrayList<>();
    private final LongSupplier now;

    /**
     * Creates a recorder.
     *
     * @param now the observer's time in nanoseconds
     */
    public Recorder(LongSupplier now) {
        this.now = now;
    }

    /**
     * Begins a line about a process.
     *
     * @param process the process
     * @param op the operation
     * @param phase its phase
     * @return the line, to be completed and {@linkplain Line#add() added}
     */
    public Line line(int process, Op op, Phase phase) {
        return new Line(process, op, phase);
    }

    /**
     * Returns the recorded history.
     *
     * @param ttlNanos the length of every lease
     */
    public History history(long ttlNanos) {
        return new History(ttlNanos, events);
    }

    /** A line under construction. */
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

        /** Sets the acquisition. */
        public Line grant(int which) {
            grant = which;
            return this;
        }

        /** Sets the token and the position in the server's order. */
        public Line decided(long withToken, long atCommit) {
            token = withToken;
            commit = atCommit;
            return this;
        }

        /** Sets the beginning and the end of the lease, as its holder sees it. */
        public Line lease(long from, long until) {
            fromNanos = from;
            untilNanos = until;
            return this;
        }

        /** Sets the value read or written. */
        public Line value(long what) {
            value = what;
            return this;
        }

        /** Sets the note for readers. */
        public Line note(String text) {
            note = text;
            return this;
        }

        /** Sets the number of the lock, where there are several. */
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
