package org.mongolocks.spi;

/** Names the fields of a lock document. */
public final class LockFields {
    /** The name of the lock. */
    public static final String ID = "_id";
    /** Who may read and change the document: the name of a strategy, a slash and a version. */
    public static final String FORMAT = "format";
    /** Who holds it ({@link org.mongolocks.Owner#stored()}); absent when it was released. */
    public static final String OWNER = "owner";
    /** What the holder tells people ({@link StoredHolder}); absent when it was released. */
    public static final String HOLDER = "holder";
    /** The fencing token of the newest grant. */
    public static final String FENCE = "fence";
    /** A number that every change counts up. */
    public static final String REVISION = "rev";
    /** When the newest grant was made. */
    public static final String ACQUIRED_AT = "acquiredAt";
    /** When the newest lease ends. */
    public static final String EXPIRES_AT = "expiresAt";
    /** The length of the newest lease in milliseconds. */
    public static final String LEASE_MILLIS = "leaseMs";
    /** A number that is new with each grant and renewal, where a strategy needs one; absent otherwise. */
    public static final String LEASE_ID = "leaseId";
    /** When it was released; absent while somebody holds it. */
    public static final String RELEASED_AT = "releasedAt";
    /** When an operator forced it free; absent unless that was the newest change. */
    public static final String FORCED_AT = "forcedAt";
    /** When an unused document may go. */
    public static final String PURGE_AT = "purgeAt";
    /** The server's time when it answered; never stored. */
    public static final String NOW = "now";

    private LockFields() {}
}
