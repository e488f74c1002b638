package org.mongolocks.embedded.internal.engine;

/** What is special about a command. */
public enum ServerFeature {
    /** Runs on the database {@code admin} only. */
    ADMIN_ONLY,
    /** Writes, so that it may have a write concern. */
    WRITE,
    /** May have a read concern other than local. */
    READ_CONCERN,
    /** Has the read concern local only, also where it begins a transaction. */
    LOCAL_READ_CONCERN,
    /** May carry a number of its own to be retried with. */
    RETRYABLE,
    /** May run in a transaction. */
    TRANSACTIONAL,
    /** Ends a transaction. */
    TRANSACTION_END,
    /** Has nothing to do with sessions, so that what it says about one is not looked at. */
    SESSIONLESS,
    /** Runs on a secondary as well. */
    ANY_MEMBER,
    /** Runs on a secondary as well, if its read preference allows that. */
    SECONDARY_ALLOWED,
    /** Is counted elsewhere than among the commands. */
    COUNTED,
    /** Gives its time limit another meaning. */
    OWN_TIME_LIMIT
}
