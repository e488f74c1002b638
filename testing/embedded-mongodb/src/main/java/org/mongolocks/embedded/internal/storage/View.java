package org.mongolocks.embedded.internal.storage;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.storage.CollectionState.StoredRecord;

/**
 * A pipeline under the name of a collection. Its definition is a document in the collection {@code system.views} of its database.
 *
 * @param namespace its name
 * @param on the collection or the view that it shows
 * @param pipeline what is done to the documents of that
 * @param collation how its strings compare, or null for the simple collation
 */
public record View(
        Namespace namespace,
        Namespace on,
        List<?> pipeline,
        @Nullable Document collation) {
    /** The collection that has the definitions of the views of a database. */
    public static final String DEFINITIONS = "system.views";

    private static final int DEPTH_LIMIT_EXCEEDED = 165;
    private static final int GRAPH_CONTAINS_CYCLE = 5;
    private static final int MAX_DEPTH = 20;

    /** The view with a name, or null. */
    public static @Nullable View find(Catalog catalog, Namespace namespace) {
        StoredRecord record = record(catalog, namespace);
        return record == null ? null : of(record.document());
    }

    /** The record with the definition of a view, or null. */
    public static @Nullable StoredRecord record(Catalog catalog, Namespace namespace) {
        CollectionState definitions = catalog.get(new Namespace(namespace.db(), DEFINITIONS));
        return definitions == null ? null : definitions.byId(namespace.toString());
    }

    /** The view that a document defines. */
    public static View of(Document definition) {
        Namespace namespace = Namespace.of((String) Objects.requireNonNull(definition.get("_id")));
        Document collation = (Document) definition.get("collation");
        Namespace on = new Namespace(namespace.db(), (String) Objects.requireNonNull(definition.get("viewOn")));
        return new View(namespace, on, (List<?>) Objects.requireNonNull(definition.get("pipeline")), collation);
    }

    /** The document that defines this view. */
    public Document definition() {
        Document definition = new Document("_id", namespace.toString())
                .append("viewOn", on.collection())
                .append("pipeline", pipeline);
        if (collation != null) {
            definition.put("collation", collation);
        }
        return definition;
    }

    /** Refuses a view that shows itself, or too many others behind each other. */
    public void checkDepth(Catalog catalog) {
        int depth = 0;
        for (View view = this; view != null; view = find(catalog, view.on())) {
            if (view.on().equals(namespace)) {
                throw new CommandError(GRAPH_CONTAINS_CYCLE, "View cycle detected: " + namespace);
            }
            if (++depth > MAX_DEPTH) {
                throw new CommandError(
                        DEPTH_LIMIT_EXCEEDED,
                        "View depth too deep or view cycle detected; maximum depth is " + MAX_DEPTH);
            }
        }
    }

    /** The error for a command that wants a collection. */
    public CommandError isNoCollection() {
        return new CommandError(
                ErrorCode.COMMAND_NOT_SUPPORTED_ON_VIEW, "Namespace " + namespace + " is a view, not a collection");
    }
}
