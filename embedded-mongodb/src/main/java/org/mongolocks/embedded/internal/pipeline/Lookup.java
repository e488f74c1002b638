package org.mongolocks.embedded.internal.pipeline;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.query.FilterParser;

/** {@code $lookup} by equality of two fields. */
record Lookup(Function<String, List<Document>> collections, String from, FieldPath local, String foreign, String as)
        implements Stage {
    private static final Set<String> OPTIONS = Set.of("from", "localField", "foreignField", "as");

    static Lookup parse(@Nullable Object argument, Function<String, List<Document>> collections) {
        if (!(argument instanceof Document options)) {
            throw failed("the $lookup specification must be an object");
        }
        for (String name : options.keySet()) {
            if (name.equals("pipeline") || name.equals("let")) {
                throw new CommandError(
                        ErrorCode.NOT_IMPLEMENTED, "$lookup with a pipeline is not supported by the embedded server");
            }
            if (!OPTIONS.contains(name)) {
                throw failed("unknown argument to $lookup: " + name);
            }
        }
        return new Lookup(
                collections,
                text(options, "from"),
                FieldPath.of(text(options, "localField")),
                text(options, "foreignField"),
                text(options, "as"));
    }

    private static String text(Document options, String name) {
        if (options.get(name) instanceof String text) {
            return text;
        }
        throw failed("$lookup argument '" + name + "' must be a string");
    }

    private static CommandError failed(String message) {
        return new CommandError(ErrorCode.FAILED_TO_PARSE, message);
    }

    @Override
    public List<Document> run(List<Document> documents, Scope scope) {
        List<Document> foreignDocuments = collections.apply(from);
        List<Document> results = new ArrayList<>(documents.size());
        for (Document document : documents) {
            Filter filter = FilterParser.parse(new Document(foreign, condition(local.in(document))), scope);
            List<Document> joined = new ArrayList<>(foreignDocuments);
            joined.removeIf(candidate -> !filter.matches(candidate));
            Document result = document.clone();
            result.put(as, joined);
            results.add(result);
        }
        return results;
    }

    private static Document condition(@Nullable Object value) {
        return value instanceof List<?> array ? new Document("$in", array) : new Document("$eq", Absence.toNull(value));
    }
}
