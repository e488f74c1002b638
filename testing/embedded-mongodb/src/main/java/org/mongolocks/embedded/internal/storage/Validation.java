package org.mongolocks.embedded.internal.storage;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.query.FilterParser;

/** Reads the rules for the documents of a collection, which this server lists but does not apply. */
public final class Validation {
    private static final Set<String> LEVELS = Set.of("off", "strict", "moderate");
    private static final Set<String> ACTIONS = Set.of("error", "warn");

    private Validation() {}

    /** Gives the options {@code validator}, {@code validationLevel} and {@code validationAction}; null if there are none. */
    public static @Nullable Document parse(Document options) {
        Document document = new Document();
        Object validator = options.get("validator");
        if (validator != null && !(validator instanceof Document)) {
            throw CommandError.typeMismatch("'validator' has to be a document, not " + BsonKind.nameOf(validator));
        }
        if (validator instanceof Document expression && !expression.isEmpty()) {
            check(expression);
            document.put("validator", expression);
        }
        put(document, options, "validationLevel", LEVELS);
        put(document, options, "validationAction", ACTIONS);
        return document.isEmpty() ? null : document;
    }

    // The keywords of a schema are not read.
    private static void check(Document expression) {
        Document filter = expression.clone();
        Object schema = filter.getOrDefault("$jsonSchema", new Document());
        if (!(schema instanceof Document)) {
            throw CommandError.typeMismatch("$jsonSchema must be an object");
        }
        filter.remove("$jsonSchema");
        FilterParser.parse(filter, Scope.timeless());
    }

    private static void put(Document document, Document options, String option, Set<String> known) {
        Object value = options.get(option);
        if (value == null) {
            return;
        }
        if (!(value instanceof String text) || !known.contains(text)) {
            throw CommandError.badValue("invalid " + option + ": " + value);
        }
        document.put(option, text);
    }
}
