package org.mongolocks.embedded.internal.session;

import de.bwaldvogel.mongo.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * The version of the stable API that a command declares; null for a field that it does not have.
 *
 * @param version the field {@code apiVersion}
 * @param isStrict the field {@code apiStrict}: whether what is outside the version is refused
 * @param refusesDeprecated the field {@code apiDeprecationErrors}: whether what is deprecated is refused, which is nothing in version 1
 */
public record ApiParameters(
        @Nullable Object version,
        @Nullable Object isStrict,
        @Nullable Object refusesDeprecated) {
    /** A command that declares nothing. */
    public static final ApiParameters NONE = new ApiParameters(null, null, null);

    private static final String VERSION = "apiVersion";
    private static final String STRICT = "apiStrict";
    private static final String DEPRECATION_ERRORS = "apiDeprecationErrors";

    public static ApiParameters of(Document command) {
        return new ApiParameters(command.get(VERSION), command.get(STRICT), command.get(DEPRECATION_ERRORS));
    }

    /** A command without these fields. */
    public static Document without(Document command) {
        Document rest = command.clone();
        rest.remove(VERSION);
        rest.remove(STRICT);
        rest.remove(DEPRECATION_ERRORS);
        return rest;
    }

    @Override
    public String toString() {
        Document declared = new Document();
        declared.putIfNotNull(VERSION, version);
        declared.putIfNotNull(STRICT, isStrict);
        declared.putIfNotNull(DEPRECATION_ERRORS, refusesDeprecated);
        return declared.toString(true);
    }
}
