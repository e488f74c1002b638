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

/** listCollections and listDatabases. */
final class ListCommands {
    private ListCommands() {}

    static Document collections(Call call) {
        Fields fields = Fields.ofLenient(call.command());
        Filter filter = FilterParser.parse(fields.document("filter"), Scope.timeless());
        boolean isNameOnly = fields.flag("nameOnly", false);
        List<Document> found = new ArrayList<>();
        for (CollectionState collection : call.workspace().catalog().collectionsOf(call.db())) {
            Document description = describe(collection);
            if (filter.matches(description)) {
                found.add(isNameOnly ? nameOnly(description) : description);
            }
        }
        return CursorReply.ofList(call, found, new Namespace(call.db(), "$cmd.listCollections"));
    }

    private static Document nameOnly(Document description) {
        return new Document("name", description.get("name")).append("type", description.get("type"));
    }

    private static Document describe(CollectionState collection) {
        boolean isView = collection.isView();
        Document info = new Document("readOnly", isView);
        Document description = new Document("name", collection.namespace().collection())
                .append("type", isView ? "view" : "collection")
                .append("options", collection.options())
                .append("info", info);
        if (!isView) {
            info.put("uuid", collection.uuid());
            description.put("idIndex", collection.idIndex().spec().definition());
        }
        return description;
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
