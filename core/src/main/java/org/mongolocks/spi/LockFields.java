package org.mongolocks.spi;

/** The names of the fields of a lock document. */
public final class LockFields {
    /** The name of the lock. */
    public static final String ID = "_id";
    /** The mark of the strategy that may read and change the document: its name, a slash and a version. */
    public static final String FORMAT = "format";
    /** The holder ({@link org.mongolocks.Owner#stored()}); absent when the lock was released. */
    public static final String OWNER = "owner";
    /** The information about the holder ({@link org.mongolocks.spi.lease.HolderInfoCodec}); absent when the lock was released. */
    public static final String HOLDER = "holder";
    /** The fencing token of the newest grant. */
    public static final String FENCE = "fence";
    /** A number that every change increments. */
    public static final String REVISION = "rev";
    /** The time of the newest grant. */
    public static final String ACQUIRED_AT = "acquiredAt";
    /** The end of the newest lease. */
    public static final String EXPIRES_AT = "expiresAt";
    /** The length of the newest lease in milliseconds. */
    public static final String LEASE_MILLIS = "leaseMs";
    /** A number that is new with each grant and renewal, where a strategy needs one; absent otherwise. */
    public static final String LEASE_ID = "leaseId";
    /** The time of the release; absent while the lock is held. */
    public static final String RELEASED_AT = "releasedAt";
    /** The time when an operator force-released the lock; absent unless that was the newest change. */
    public static final String FORCED_AT = "forcedAt";
    /** The time after which an unused document may be deleted. */
    public static final String PURGE_AT = "purgeAt";
    /** The server's time of the reply; never stored. */
    public static final String NOW = "now";

    private LockFields() {}
}
