package org.mongolocks.embedded.internal.state;

import de.bwaldvogel.mongo.bson.Document;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;

/** The parameters of the server that clients may read, and some that they may set. */
public final class Parameters {
    private static final String TTL_SLEEP = "ttlMonitorSleepSecs";
    private static final String TTL_ENABLED = "ttlMonitorEnabled";
    private static final String TXN_LIFETIME = "transactionLifetimeLimitSeconds";
    private static final String CURSOR_TIMEOUT = "cursorTimeoutMillis";
    private static final String SESSION_TIMEOUT = "localLogicalSessionTimeoutMinutes";

    private static final String COMPATIBILITY = "featureCompatibilityVersion";

    private static final Set<String> FIXED = Set.of("enableTestCommands", SESSION_TIMEOUT, COMPATIBILITY);

    private final Map<String, Object> values = new LinkedHashMap<>();

    public Parameters(int ttlMonitorSeconds, ServerVersion version) {
        values.put(TTL_SLEEP, ttlMonitorSeconds);
        values.put(TTL_ENABLED, true);
        values.put(TXN_LIFETIME, 60);
        values.put(CURSOR_TIMEOUT, 600_000L);
        values.put(SESSION_TIMEOUT, 30);
        values.put("enableTestCommands", true);
        values.put("maxTransactionLockRequestTimeoutMillis", 5);
        values.put("logLevel", 0);
        values.put("quiet", false);
        values.put(COMPATIBILITY, new Document("version", version.release()));
    }

    public Map<String, Object> all() {
        return values;
    }

    /** The value, or null if there is no such parameter. */
    public @Nullable Object get(String name) {
        return values.get(name);
    }

    /** Sets a parameter; its old value. */
    public Object set(String name, @Nullable Object value) {
        Object old = values.get(name);
        if (old == null) {
            throw CommandError.invalidOptions(
                    "attempted to set unrecognized parameter [" + name + "], use help:true to see options ");
        }
        if (FIXED.contains(name)) {
            throw CommandError.illegalOperation("not allowed to change [" + name + "] at runtime");
        }
        values.put(name, converted(name, old, value));
        return old;
    }

    private static Object converted(String name, Object old, @Nullable Object value) {
        if (old instanceof Boolean) {
            return Values.isTrue(value);
        }
        if (!(value instanceof Number number)) {
            throw CommandError.badValue("Invalid value for parameter " + name + ": a number is needed");
        }
        boolean isTooSmall = Numbers.whole(number) < (name.equals(TTL_SLEEP) || name.equals(TXN_LIFETIME) ? 1 : 0);
        if (isTooSmall) {
            throw CommandError.badValue(
                    "Invalid value for parameter " + name + ": " + number + " is not greater than or equal to 1");
        }
        return old instanceof Long ? (Object) Numbers.whole(number) : (Object) Numbers.wholeInt(number);
    }

    public long ttlSleepMillis() {
        return 1000L * (Integer) values.getOrDefault(TTL_SLEEP, 60);
    }

    public boolean isTtlEnabled() {
        return Boolean.TRUE.equals(values.get(TTL_ENABLED));
    }

    public long transactionLifetimeMillis() {
        return 1000L * (Integer) values.getOrDefault(TXN_LIFETIME, 60);
    }

    public long cursorTimeoutMillis() {
        return (Long) values.getOrDefault(CURSOR_TIMEOUT, 600_000L);
    }

    public long sessionTimeoutMillis() {
        return 60_000L * (Integer) values.getOrDefault(SESSION_TIMEOUT, 30);
    }
}
