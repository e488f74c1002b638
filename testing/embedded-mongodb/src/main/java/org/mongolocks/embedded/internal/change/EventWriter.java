package org.mongolocks.embedded.internal.change;

import de.bwaldvogel.mongo.bson.Document;
import org.mongolocks.embedded.internal.oplog.Change;
import org.mongolocks.embedded.internal.oplog.Oplog.OplogEntry;
import org.mongolocks.embedded.internal.state.ServerVersion;
import org.mongolocks.embedded.internal.storage.Namespace;

/** Writes changes as the events that clients see, field by field in the order of MongoDB. */
final class EventWriter {
    private final ServerVersion version;

    /** A writer for a version, which decides which fields there are. */
    EventWriter(ServerVersion version) {
        this.version = version;
    }

    Document event(OplogEntry entry, Change change, ResumeToken token) {
        Document event = new Document();
        if (change instanceof Change.Renamed renamed) {
            event.put("to", namespace(renamed.target()));
        }
        OplogEntry.TransactionId transaction = entry.transaction();
        if (transaction != null) {
            event.append("txnNumber", transaction.number()).append("lsid", transaction.session());
        }
        begin(event, token, operation(change), entry);
        putDocument(event, change);
        event.put("ns", namespace(change.namespace()));
        putKey(event, change);
        putDescription(event, change);
        return event;
    }

    Document invalidate(OplogEntry entry, ResumeToken token) {
        Document event = new Document();
        begin(event, token, "invalidate", entry);
        return event;
    }

    private void begin(Document event, ResumeToken token, String operation, OplogEntry entry) {
        event.append("_id", token.document())
                .append("operationType", operation)
                .append("clusterTime", entry.timestamp());
        if (version.hasWallTimes()) {
            event.put("wallTime", entry.wallTime());
        }
    }

    private static Document namespace(Namespace namespace) {
        return new Document("db", namespace.db()).append("coll", namespace.collection());
    }

    private static String operation(Change change) {
        if (change instanceof Change.Updated updated) {
            return updated.fields() == null ? "replace" : "update";
        }
        if (change instanceof Change.Inserted) {
            return "insert";
        }
        if (change instanceof Change.Deleted) {
            return "delete";
        }
        return change instanceof Change.Dropped ? "drop" : "rename";
    }

    private void putDocument(Document event, Change change) {
        if (change instanceof Change.Inserted inserted) {
            event.put("fullDocument", inserted.document());
        } else if (change instanceof Change.Updated updated) {
            if (updated.fields() == null) {
                event.put("fullDocument", updated.after());
            }
        }
    }

    private static void putKey(Document event, Change change) {
        Document document = null;
        if (change instanceof Change.Inserted inserted) {
            document = inserted.document();
        } else if (change instanceof Change.Updated updated) {
            document = updated.before();
        } else if (change instanceof Change.Deleted deleted) {
            document = deleted.document();
        }
        if (document != null) {
            event.put("documentKey", new Document("_id", document.get("_id")));
        }
    }

    private static void putDescription(Document event, Change change) {
        if (change instanceof Change.Updated updated && updated.fields() != null) {
            Document description = new Document(
                            "updatedFields", updated.fields().updated())
                    .append("removedFields", updated.fields().removed());
            if (updated.fields().truncated() != null) {
                description.put("truncatedArrays", updated.fields().truncated());
            }
            event.put("updateDescription", description);
        }
    }
}
