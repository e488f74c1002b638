package org.mongolocks.embedded.internal.storage;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.query.FilterParser;

/**
 * The options of a collection.
 *
 * @param collation the collation of its strings, or null for the simple one
 * @param capped the bounds of a capped collection, or null
 * @param validation the rules for its documents, or null
 */
public record CollectionOptions(
        @Nullable Document collation,
        @Nullable Capped capped,
        @Nullable Document validation) {
    /** A collection without options. */
    public static final CollectionOptions NONE = new CollectionOptions(null, null, null);

    private static final Set<String> LEVELS = Set.of("off", "strict", "moderate");
    private static final Set<String> ACTIONS = Set.of("error", "warn");

    /**
     * The bounds of a capped collection.
     *
     * @param size how many bytes it may have
     * @param max how many documents it may have, zero for any number
     */
    public record Capped(long size, long max) {}

    /** These options with other rules for documents. */
    public CollectionOptions validatedBy(@Nullable Document changed) {
        return new CollectionOptions(collation, capped, changed);
    }

    /** The options as listCollections shows them. */
    public Document document() {
        Document shown = new Document();
        if (capped != null) {
            shown.append("capped", true).append("size", capped.size());
            if (capped.max() > 0) {
                shown.append("max", capped.max());
            }
        }
        if (validation != null) {
            shown.putAll(validation);
        }
        if (collation != null) {
            shown.append("collation", collation);
        }
        return shown;
    }

    /** Reads the rules for documents, which this server lists but does not apply: {@code validator}, {@code validationLevel} and {@code validationAction}; null if there are none. */
    public static @Nullable Document validation(Document options) {
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
