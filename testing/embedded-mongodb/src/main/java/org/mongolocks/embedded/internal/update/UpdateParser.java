package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.pipeline.PipelineParser;
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

    private ArrayFilters filters(@Nullable Collection<?> arrayFilters) {
        return arrayFilters == null ? ArrayFilters.none() : ArrayFilters.parse(arrayFilters, scope);
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
