package org.mongolocks.study.history;

/**
 * One line of a history. All times are nanoseconds of one observer, which sees every process.
 *
 * @param seq the position of the event in the history
 * @param atNanos when it happened
 * @param process the process
 * @param op the operation
 * @param phase whether the operation begins, or how it ended
 * @param grant the number of the acquisition in the run; 0 if none
 * @param token the fencing token, 0 if there is none
 * @param commit the position of the deciding command in the order in which the server executed commands; 0 if none
 * @param fromNanos for a grant or a renewal, the beginning of its lease
 * @param untilNanos for a grant or a renewal, the end of its lease as its holder sees it; {@link Long#MAX_VALUE} for
 *     none
 * @param value for a read the value read, for a write the value written
 * @param note further information for readers
 * @param lock the number of the lock where there are several; 0 where there is one, or if the event is about none
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

    /** Creates an event where there is one lock. */
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

    /** The operation of an event. */
    public enum Op {
        /** An acquisition. */
        ACQUIRE,
        /** A renewal. */
        RENEW,
        /** A release. */
        RELEASE,
        /** The holder is notified of the loss. */
        LOST,
        /** The holder reads the resources. */
        TOUCH,
        /** A write reaches the resource without a fence. */
        WRITE_UNFENCED,
        /** A write reaches the resource that refuses tokens below the largest written. */
        WRITE_FENCED,
        /** A write reaches the resource that refuses tokens below the largest read or written. */
        WRITE_TOUCH_FENCED,
        /** A guarded transaction gets its reply; {@link Event#commit} is that of the transaction. */
        WRITE_GUARDED,
        /** The guarded writes are counted at the end of the run. */
        TALLY,
        /** The owner acquires a lock again that it holds, without a command; the value identifies the owner. */
        ENTER,
        /** A reentrant acquisition is released, and others remain; the value identifies the owner. */
        LEAVE,
        /** A candidate is elected; {@link Phase#OK} when it is revoked. */
        LEAD,
        /** A fair request is in the list of waiters. */
        QUEUED,
        /** An operator force-releases the grant in its snapshot. */
        FORCE,
        /** The holder asks whether it holds the lock; {@link Phase#OK} if it does. */
        CHECK,
        /** The holder aborts its work. */
        ABORT,
        /** A new client acquires the lock at the end of the run. */
        PROBE,
        /** The process crashes. */
        CRASH,
        /** The process pauses; {@link Phase#OK} when it resumes. */
        PAUSE,
        /** The server no longer has the lock documents: they were dropped, renamed or restored. */
        DISCARDED,
        /** Another fault. */
        FAULT
    }

    /** The phase of an operation. */
    public enum Phase {
        /** It begins. */
        INVOKE,
        /** It has succeeded. */
        OK,
        /** It has certainly had no effect. */
        FAIL,
        /** Its outcome is indeterminate; it may take effect at any time. */
        INFO
    }

    /**
     * Returns whether this is an event of a kind.
     *
     * @param which the operation
     * @param how its phase
     * @return true if it is
     */
    public boolean is(Op which, Phase how) {
        return op == which && phase == how;
    }

    /** Returns the event as a line of JSON, always with the same bytes. */
    public String line() {
        return "{\"seq\":" + seq + ",\"t\":" + atNanos + ",\"proc\":" + process + ",\"op\":\"" + op + "\",\"phase\":\""
                + phase + "\",\"grant\":" + grant + ",\"token\":" + token + ",\"commit\":" + commit + ",\"from\":"
                + fromNanos + ",\"until\":" + untilNanos + ",\"value\":" + value + ",\"note\":\""
                + note.replace("\"", "'") + "\"" + (lock == 0 ? "" : ",\"lock\":" + lock) + "}";
    }
}
