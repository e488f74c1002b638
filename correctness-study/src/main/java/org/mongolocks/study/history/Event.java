package org.mongolocks.study.history;

/**
 * Is one line of a history. All times are nanoseconds of one observer, who sees every process at once.
 *
 * @param seq the place of the event in the history
 * @param atNanos when it happened
 * @param process whose event it is
 * @param op what it is about
 * @param phase whether it begins, or how it ended
 * @param grant which acquisition of the run it belongs to; 0 if none
 * @param token the fencing token, 0 if there is none
 * @param commit the place of the deciding command in the order in which the server executed commands; 0 if none
 * @param fromNanos for a grant or a renewal, from when its lease counts
 * @param untilNanos for a grant or a renewal, until when its holder believes in it; {@link Long#MAX_VALUE} for ever
 * @param value for a read what was read, for a write what was written
 * @param note what else there is to tell, for people
 * @param lock which of several locks it is about; 0 where there is one, or if it is about none
 */
public record Event(
        long seq,
        long atNanos,
        int process,
        Op op,
        Phase phase,
        int grant,
        long token,
        long commit,
        long fromNanos,
        long untilNanos,
        long value,
        String note,
        int lock) {

    /**
     * Is an event where there is one lock.
     *
     * @param seq the place of the event in the history
     * @param atNanos when it happened
     * @param process whose event it is
     * @param op what it is about
     * @param phase whether it begins, or how it ended
     * @param grant which acquisition of the run it belongs to; 0 if none
     * @param token the fencing token, 0 if there is none
     * @param commit where the server's order has it; 0 if nowhere
     * @param fromNanos from when its lease counts
     * @param untilNanos until when its holder believes in it
     * @param value what was read or written
     * @param note what else there is to tell, for people
     */
    public Event(
            long seq,
            long atNanos,
            int process,
            Op op,
            Phase phase,
            int grant,
            long token,
            long commit,
            long fromNanos,
            long untilNanos,
            long value,
            String note) {
        this(seq, atNanos, process, op, phase, grant, token, commit, fromNanos, untilNanos, value, note, 0);
    }

    /** What an event is about. */
    public enum Op {
        /** An acquisition. */
        ACQUIRE,
        /** A renewal. */
        RENEW,
        /** A release. */
        RELEASE,
        /** The holder is told of the loss. */
        LOST,
        /** The holder reads the resources. */
        TOUCH,
        /** A write arrives at the resource that checks nothing. */
        WRITE_UNFENCED,
        /** A write arrives at the resource that refuses tokens below the largest written. */
        WRITE_FENCED,
        /** A write arrives at the resource that refuses tokens below the largest read or written. */
        WRITE_TOUCH_FENCED,
        /** A write in a transaction that the lock guards is answered; {@link Event#commit} is that of the transaction. */
        WRITE_GUARDED,
        /** Somebody counts what has become of the guarded writes when all is over. */
        TALLY,
        /** Who holds the lock enters it again, without asking; the value says in whose name. */
        ENTER,
        /** An entry is given back, and others are left; the value says in whose name. */
        LEAVE,
        /** Who asks in order has a place in the queue. */
        QUEUED,
        /** An operator forces free the lock of the grant that it has seen. */
        FORCE,
        /** The holder gives its work up. */
        ABORT,
        /** Somebody who comes later asks for the lock when all is over. */
        PROBE,
        /** The process stops for good. */
        CRASH,
        /** The process stands still; {@link Phase#OK} when it goes on. */
        PAUSE,
        /** The server has no longer what it stored of the locks: they were dropped, renamed or restored. */
        DISCARDED,
        /** Something else goes wrong. */
        FAULT
    }

    /** How far it has come. */
    public enum Phase {
        /** It begins. */
        INVOKE,
        /** It is done. */
        OK,
        /** It has definitely not happened. */
        FAIL,
        /** Nobody knows; it may happen at any time. */
        INFO
    }

    /**
     * Tells whether it is a certain kind of event.
     *
     * @param which what it is about
     * @param how its phase
     * @return true if it is
     */
    public boolean is(Op which, Phase how) {
        return op == which && phase == how;
    }

    /**
     * Gives the event as a line of JSON, always with the same bytes.
     *
     * @return the line
     */
    public String line() {
        return "{\"seq\":" + seq + ",\"t\":" + atNanos + ",\"proc\":" + process + ",\"op\":\"" + op + "\",\"phase\":\""
                + phase + "\",\"grant\":" + grant + ",\"token\":" + token + ",\"commit\":" + commit + ",\"from\":"
                + fromNanos + ",\"until\":" + untilNanos + ",\"value\":" + value + ",\"note\":\""
                + note.replace("\"", "'") + "\"" + (lock == 0 ? "" : ",\"lock\":" + lock) + "}";
    }
}
