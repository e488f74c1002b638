package org.mongolocks.spi;

/** The meaning of a failed operation, whichever driver and exception reported it. */
public enum Fault {
    /** A unique index has the key already. The operation changed nothing. */
    DUPLICATE_KEY,
    /**
     * A concurrent operation won the race for the same document. The operation changed nothing, and its transaction is
     * over.
     */
    WRITE_CONFLICT,
    /** A temporary fault. The operation changed nothing, and its transaction, if any, is over. */
    TRANSIENT,
    /** A commit may or may not have happened. It is safe to commit again. */
    UNKNOWN_COMMIT,
    /** The reply was lost: the operation may have been executed, may still be executed, or never. */
    AMBIGUOUS,
    /** The operation was not executed: it was not sent, or the server replied that it wrote nothing. */
    NOT_SENT,
    /** The server or its deployment does not support this. A retry does not help. */
    UNSUPPORTED,
    /** The server refused the operation. A retry does not help. */
    REJECTED,
    /**
     * The stored document is not one that the strategy can read. A strategy reports it with a
     * {@link ForeignFormatException}; a server never does. A retry does not help.
     */
    FOREIGN_FORMAT
}
