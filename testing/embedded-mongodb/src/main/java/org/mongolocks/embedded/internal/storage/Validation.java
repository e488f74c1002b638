package org.mongolocks.embedded.internal.storage;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.Collation;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.query.FilterParser;

/** The rules for the documents of a collection, and the writes that they apply to. */
public final class Validation {
    private static final Set<String> LEVELS = Set.of("off", "strict", "moderate");
    private static final Set<String> ACTIONS = Set.of("error", "warn");

    private final Document document;
    private final Filter filter;

    private Validation(Document document, Filter filter) {
        this.document = document;
        this.filter = filter;
    }

    /**
     * Reads the options {@code validator}, {@code validationLevel} and {@code validationAction}; null if none of them says anything.
     *
     * @param collation the default of the collection, null for the simple collation
     */
    public static @Nullable Validation parse(Document options, @Nullable Collation collation) {
        Document document = new Document();
        Object validator = options.get("validator");
        if (validator != null && !(validator instanceof Document)) {
            throw CommandError.typeMismatch("'validator' has to be a document, not " + BsonKind.nameOf(validator));
        }
        Document expression = validator instanceof Document given ? given : new Document();
        Filter filter = FilterParser.parse(expression, Scope.timeless().collatedBy(collation));
        if (!expression.isEmpty()) {
            document.put("validator", expression);
        }
        put(document, options, "validationLevel", LEVELS);
        put(document, options, "validationAction", ACTIONS);
        return document.isEmpty() ? null : new Validation(document, filter);
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

    /** The options as they were given. */
    public Document document() {
        return document;
    }

    /**
     * Checks a document before it is written.
     *
     * @param before the document in whose place it comes, or null
     */
    public void check(Document after, @Nullable Document before) {
        if ("off".equals(document.get("validationLevel")) || "warn".equals(document.get("validationAction"))) {
            return;
        }
        boolean wasInvalid =
                "moderate".equals(document.get("validationLevel")) && before != null && !filter.matches(before);
        if (!wasInvalid && !filter.matches(after)) {
            throw new CommandError(ErrorCode.DOCUMENT_VALIDATION_FAILURE, "Document failed validation");
        }
    }
}
