package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.pipeline.PipelineParser;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.query.FilterParser;
import org.mongolocks.embedded.internal.update.Update.PipelineUpdate;
import org.mongolocks.embedded.internal.update.Update.ReplacementUpdate;

/** Reads the update of a statement, in any of its three forms. */
public final class UpdateParser {
    private final Scope scope;

    /**
     * A parser for one command.
     *
     * @param scope the variables that a pipeline may use
     */
    public UpdateParser(Scope scope) {
        this.scope = scope;
    }

    /**
     * Reads an update.
     *
     * @param arrayFilters the array filters, null for none
     * @param isMulti whether it is to be applied to all that match
     */
    public Update parse(@Nullable Object update, @Nullable Collection<?> arrayFilters, boolean isMulti) {
        if (update instanceof List<?> stages) {
            if (arrayFilters != null && !arrayFilters.isEmpty()) {
                throw CommandError.failedToParse("arrayFilters may not be specified for pipeline-syle updates");
            }
            return new PipelineUpdate(PipelineParser.parseUpdate(stages), scope);
        }
        if (!(update instanceof Document document)) {
            throw CommandError.failedToParse(
                    "Update argument must be either an object or an array, not " + BsonKind.nameOf(update));
        }
        return isByOperators(document)
                ? new OperatorParser(filters(arrayFilters)).parse(document)
                : replacement(document, arrayFilters, isMulti);
    }

    private Map<String, Filter> filters(@Nullable Collection<?> documents) {
        Map<String, Filter> filters = new HashMap<>();
        for (Object document : documents == null ? List.of() : documents) {
            if (!(document instanceof Document filter)) {
                throw CommandError.typeMismatch("arrayFilters must be an array of objects");
            }
            // The paths in a filter begin with its name.
            Set<String> names = new TreeSet<>();
            filter.keySet().forEach(path -> names.add(FieldPath.of(path).first()));
            String name = String.join(",", names);
            if (!name.matches("[a-z][a-zA-Z0-9]*") || filters.put(name, FilterParser.parse(filter, scope)) != null) {
                throw CommandError.unsupported("An array filter with the fields " + names);
            }
        }
        return filters;
    }

    private static boolean isByOperators(Document update) {
        return !update.isEmpty() && update.keySet().iterator().next().startsWith("$");
    }

    private static Update replacement(Document document, @Nullable Collection<?> arrayFilters, boolean isMulti) {
        if (isMulti) {
            throw CommandError.failedToParse("multi update is not supported for replacement-style update");
        }
        if (arrayFilters != null && !arrayFilters.isEmpty()) {
            throw CommandError.failedToParse("arrayFilters may not be specified for replacement-style updates");
        }
        for (String name : document.keySet()) {
            if (name.startsWith("$")) {
                throw new CommandError(
                        ErrorCode.DOLLAR_PREFIXED_FIELD_NAME,
                        "The dollar ($) prefixed field '" + name + "' in '" + name + "' is not valid for storage.");
            }
        }
        return new ReplacementUpdate(document);
    }
}
