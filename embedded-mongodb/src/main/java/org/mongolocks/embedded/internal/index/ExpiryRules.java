package org.mongolocks.embedded.internal.index;

import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.error.CommandError;

/** The rules for the seconds after which a TTL index lets documents expire. */
public final class ExpiryRules {
    private ExpiryRules() {}

    /** The seconds, if they are allowed. */
    public static Number check(@Nullable Object value) {
        if (!(value instanceof Number seconds)) {
            throw refused("TTL index 'expireAfterSeconds' option must be numeric, but received a type of '"
                    + BsonKind.of(value).alias() + "'");
        }
        if (seconds.doubleValue() < 0) {
            throw refused("TTL index 'expireAfterSeconds' option cannot be less than 0");
        }
        if (!(seconds.doubleValue() <= Integer.MAX_VALUE)) {
            throw refused(
                    "TTL index 'expireAfterSeconds' option must be within an acceptable range, try a lower number");
        }
        return seconds;
    }

    private static CommandError refused(String message) {
        return IndexSpecParser.cannotCreate(message);
    }
}
