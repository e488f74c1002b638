package org.mongolocks.study.check;

import java.util.List;

/**
 * A successful acquisition from its request to its end, as the history shows it.
 *
 * @param id the number of the acquisition in the run
 * @param process its process
 * @param token its token
 * @param commit its position in the order in which the server executed commands
 * @param invokedNanos when it was requested
 * @param okNanos when its holder got the reply
 * @param definiteEndNanos until when it was certainly held
 * @param believed the times in which its holder believed that it held the lock and could act
 * @param release its release
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
     * The release of a grant.
     *
     * @param invokedNanos when it was requested; {@link Long#MAX_VALUE} if never
     * @param answeredNanos when the reply arrived
     * @param commit its position in the order in which the server executed commands; 0 if nothing is known to be
     *     released
     */
    record Release(long invokedNanos, long answeredNanos, long commit) {
        static final Release NONE = new Release(Long.MAX_VALUE, Long.MAX_VALUE, 0);
    }

    /** A time interval that includes its beginning and excludes its end. */
    record Interval(int grant, long fromNanos, long untilNanos) {}
}
