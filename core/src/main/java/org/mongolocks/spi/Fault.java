package org.mongolocks.spi;

/** Says what a failed operation means, whichever driver and exception reported it. */
public enum Fault {
    /** A unique index has the key already. The operation changed nothing. */
    DUPLICATE_KEY,
    /** Another operation was faster on the same document. The operation changed nothing, and its transaction is over. */
    WRITE_CONFLICT,
    /** A passing fault. The operation changed nothing, and its transaction, if any, is over. */
    TRANSIENT,
    /** A commit may or may not have happened. It is safe to commit again. */
    UNKNOWN_COMMIT,
    /** The operation may have been executed, may be executed still, or never. */
    AMBIGUOUS,
    /** The operation was not executed: it did not leave this process, or the server says that it wrote nothing. */
    NOT_SENT,
    /** The server or its deployment cannot do this. Asking again is of no use. */
    UNSUPPORTED,
    /** The server refused. Asking again is of no use. */
    REJECTED,
    /**
     * The stored document is not one that the strategy reads. A strategy says so, with a {@link ForeignFormatException};
     * a server never does. Asking again is of no use.
     */
    FOREIGN_FORMAT
}
