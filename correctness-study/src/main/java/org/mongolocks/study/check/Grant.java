package org.mongolocks.study.check;

import java.util.List;

/**
 * Is an acquisition that got the lock, as the history shows it from beginning to end.
 *
 * @param id which acquisition of the run
 * @param process whose
 * @param token its token
 * @param commit where the server's order has it
 * @param invokedNanos when it was asked for
 * @param okNanos when it was known to its holder
 * @param definiteEndNanos until when it was certainly held
 * @param believed when its holder believed in it and could act
 * @param release how it was given back
 */
record Grant(
        int id,
        int process,
        long token,
        long commit,
        long invokedNanos,
        long okNanos,
        long definiteEndNanos,
        List<Interval> believed,
        Release release) {

    /**
     * Tells how a lock was given back.
     *
     * @param invokedNanos when; {@link Long#MAX_VALUE} if never
     * @param answeredNanos when that was known
     * @param commit where the server's order has it; 0 if nothing was freed, as far as is known
     */
    record Release(long invokedNanos, long answeredNanos, long commit) {
        static final Release NONE = new Release(Long.MAX_VALUE, Long.MAX_VALUE, 0);
    }

    /** Is a time with a beginning that belongs to it and an end that does not. */
    record Interval(int grant, long fromNanos, long untilNanos) {}
}
