package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import org.mongolocks.embedded.internal.bson.SameBytes;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** An update that puts another document in the place of the old one, and keeps the {@code _id}. */
record ReplacementUpdate(Document replacement) implements Update {
    @Override
    public Applied applyTo(Document document, UpdateContext context) {
        return replace(document, withTimestamps(context));
    }

    @Override
    public boolean isReplacement() {
        return true;
    }

    // An empty timestamp at the top level asks the server for the current one.
    private Document withTimestamps(UpdateContext context) {
        Document stamped = replacement.clone();
        stamped.replaceAll((name, value) -> {
            boolean isEmpty = value instanceof BsonTimestamp timestamp && timestamp.getValue() == 0;
            return isEmpty && !name.equals("_id") ? context.timestamps().get() : value;
        });
        return stamped;
    }

    /** Replaces a document by another one, which must not change its {@code _id}. */
    static Applied replace(Document document, Document replacement) {
        Document changed = withId(document, replacement);
        if (SameBytes.test(document, changed)) {
            return Applied.noop(document);
        }
        StorageRules.checkDocument(changed);
        return new Applied(changed, false, null);
    }

    private static Document withId(Document document, Document replacement) {
        boolean hasOld = document.containsKey("_id");
        boolean hasNew = replacement.containsKey("_id");
        if (hasOld && hasNew && !ValueOrder.same(document.get("_id"), replacement.get("_id"))) {
            throw new CommandError(
                    ErrorCode.IMMUTABLE_FIELD,
                    "After applying the update, the (immutable) field '_id' was found to have been altered to "
                            + ShellText.field("_id", replacement.get("_id")));
        }
        if (!hasOld && !hasNew) {
            return replacement;
        }
        Document changed = new Document("_id", (hasNew ? replacement : document).get("_id"));
        changed.putAll(replacement);
        return changed;
    }
}
