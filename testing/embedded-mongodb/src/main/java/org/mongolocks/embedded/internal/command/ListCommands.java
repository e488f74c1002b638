package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.mongolocks.embedded.internal.bson.BsonSize;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Fields;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.query.FilterParser;
import org.mongolocks.embedded.internal.storage.Catalog;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.CollectionState.StoredRecord;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.storage.View;

/** listCollections and listDatabases. */
final class ListCommands {
    private ListCommands() {}

    static Document collections(Call call) {
        Fields fields = Fields.ofLenient(call.command());
        Filter filter = FilterParser.parse(fields.document("filter"), Scope.timeless());
        boolean isNameOnly = fields.flag("nameOnly", false);
        List<Document> found = new ArrayList<>();
        for (Document description : descriptions(call.workspace().catalog(), call.db())) {
            if (filter.matches(description)) {
                found.add(isNameOnly ? nameOnly(description) : description);
            }
        }
        return CursorReply.ofList(call, found, new Namespace(call.db(), "$cmd.listCollections"));
    }

    private static List<Document> descriptions(Catalog catalog, String db) {
        List<Document> descriptions = new ArrayList<>();
        for (CollectionState collection : catalog.collectionsOf(db)) {
            descriptions.add(describe(collection));
        }
        CollectionState views = catalog.get(new Namespace(db, View.DEFINITIONS));
        if (views != null) {
            for (StoredRecord record : views.records().values()) {
                descriptions.add(describe(View.of(record.document())));
            }
        }
        return descriptions;
    }

    private static Document describe(View view) {
        Document options = view.definition();
        options.remove("_id");
        return new Document("name", view.namespace().collection())
                .append("type", "view")
                .append("options", options)
                .append("info", new Document("readOnly", true));
    }

    private static Document nameOnly(Document description) {
        return new Document("name", description.get("name")).append("type", description.get("type"));
    }

    private static Document describe(CollectionState collection) {
        return new Document("name", collection.namespace().collection())
                .append("type", "collection")
                .append("options", collection.options().document())
                .append("info", new Document("readOnly", false).append("uuid", collection.uuid()))
                .append("idIndex", collection.idIndex().spec().definition());
    }

    static Document databases(Call call) {
        Fields fields = Fields.ofCommand(call.command(), Set.of("filter", "nameOnly", "authorizedDatabases"));
        Filter filter = FilterParser.parse(fields.document("filter"), Scope.timeless());
        boolean isNameOnly = fields.flag("nameOnly", false);
        Catalog catalog = call.server().store().catalog();
        List<Document> found = new ArrayList<>();
        double total = 0;
        for (String name : catalog.databases()) {
            double size = size(catalog, name);
            Document description =
                    new Document("name", name).append("sizeOnDisk", size).append("empty", false);
            if (filter.matches(description)) {
                found.add(isNameOnly ? new Document("name", name) : description);
                total += size;
            }
        }
        Document reply = new Document("databases", found);
        return isNameOnly ? reply : reply.append("totalSize", total);
    }

    private static double size(Catalog catalog, String database) {
        double size = 0;
        for (CollectionState collection : catalog.collectionsOf(database)) {
            for (StoredRecord record : collection.records().values()) {
                size += BsonSize.of(record.document());
            }
        }
        return size;
    }
}
