package org.mongolocks.embedded.internal.state;

import de.bwaldvogel.mongo.bson.Document;

/** The parameters of the server, of which clients may read some. */
public final class Parameters {
    /** For how long a session may be unused. */
    public static final int SESSION_TIMEOUT_MINUTES = 30;

    private static final int TRANSACTION_LIFETIME_SECONDS = 60;
    private static final long CURSOR_TIMEOUT_MILLIS = 600_000;

    private final int ttlMonitorSeconds;
    private final ServerVersion version;

    public Parameters(int ttlMonitorSeconds, ServerVersion version) {
        this.ttlMonitorSeconds = ttlMonitorSeconds;
        this.version = version;
    }

    /** What clients may read. */
    public Document all() {
        return new Document("ttlMonitorSleepSecs", ttlMonitorSeconds)
                .append("ttlMonitorEnabled", true)
                .append("transactionLifetimeLimitSeconds", TRANSACTION_LIFETIME_SECONDS)
                .append("localLogicalSessionTimeoutMinutes", SESSION_TIMEOUT_MINUTES)
                .append("featureCompatibilityVersion", new Document("version", version.release()));
    }

    public long ttlSleepMillis() {
        return 1000L * ttlMonitorSeconds;
    }

    public long transactionLifetimeMillis() {
        return 1000L * TRANSACTION_LIFETIME_SECONDS;
    }

    public long cursorTimeoutMillis() {
        return CURSOR_TIMEOUT_MILLIS;
    }

    public long sessionTimeoutMillis() {
        return 60_000L * SESSION_TIMEOUT_MINUTES;
    }
}
