package org.mongolocks.study.exhaustive;

import de.bwaldvogel.mongo.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * What the world sees of a client.
 *
 * @param request the command that it waits for; null if it waits for none
 * @param label the label of that command
 * @param isResent whether the driver sends it again after a broken connection
 * @param awaitsMajority whether its reply waits for a majority
 * @param begun how many acquisitions it has begun
 * @param granted how many of them were granted
 * @param token the token of the newest grant
 * @param heldUntilMillis until when it believes that it holds the lock; less than any time if it does not
 * @param refusal a complaint about a write that was refused although the lock is held; null if there is none
 * @param isBeginning whether its command is the first of an acquisition, of which nothing has happened
 * @param isPaused whether it waits for time to pass, in the middle of an action
 * @param isOver whether it has done everything
 */
record ClientView(
        @Nullable Digested<Document> request,
        String label,
        boolean isResent,
        boolean awaitsMajority,
        int begun,
        int granted,
        long token,
        long heldUntilMillis,
        @Nullable String refusal,
        boolean isBeginning,
        boolean isPaused,
        boolean isOver) {
    static final long NOT_HELD = Long.MIN_VALUE;

    boolean believesAt(long millis) {
        return millis < heldUntilMillis;
    }

    /** Returns whether it waits for nothing but its turn. */
    boolean isIdle() {
        return request == null && !isOver;
    }
}
