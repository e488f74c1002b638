package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.SameBytes;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.update.Update.Applied;
import org.mongolocks.embedded.internal.update.Update.UpdateContext;

/** A node in the tree of paths that an update changes. */
sealed interface UpdateNode permits FieldsNode, ElementsNode, UpdateNode.LeafNode {
    /** The new value at this node; {@code current} itself if nothing changes. */
    @Nullable
    Object apply(@Nullable Object current, FieldPosition at);

    /** The error for operators that would change the same path. */
    static CommandError conflict(String path, String at) {
        return new CommandError(
                ErrorCode.CONFLICTING_UPDATE_OPERATORS,
                "Updating the path '" + path + "' would create a conflict at '" + at + "'");
    }

    /** The end of a path: one operator. */
    record LeafNode(Modifier modifier) implements UpdateNode {
        @Override
        public @Nullable Object apply(@Nullable Object current, FieldPosition at) {
            if (Values.isMissing(current) && !modifier.creates()) {
                return current;
            }
            Object changed = modifier.apply(current, at);
            if (SameBytes.test(current, changed)) {
                return current;
            }
            StorageRules.checkValue(changed, at.path());
            modifier.log(current, changed, at);
            return changed;
        }
    }

    /** Where in a document an update is at work. */
    record FieldPosition(String path, UpdateContext context, ChangeLog log) {
        FieldPosition child(String name) {
            return new FieldPosition(path.isEmpty() ? name : path + '.' + name, context, log);
        }

        FieldPosition loggingTo(ChangeLog other) {
            return new FieldPosition(path, context, other);
        }

        /** The document in the words of an error message. */
        String document() {
            return "{" + ShellText.field("_id", context.original().get("_id")) + "}";
        }

        String lastPart() {
            return path.substring(path.lastIndexOf('.') + 1);
        }
    }

    /** Collects which fields an update changed, for the oplog. */
    final class ChangeLog {
        private final Document entries = new Document();

        /** Notes a new value, or missing for a field that is gone. */
        void put(String path, @Nullable Object value) {
            entries.put(path, value);
        }

        boolean isEmpty() {
            return entries.isEmpty();
        }

        void addAll(ChangeLog other) {
            entries.putAll(other.entries);
        }

        /** The new values by path in the order of the changes; missing for what is gone. */
        Document entries() {
            return entries;
        }

        /** The changed fields as MongoDB 4.4 logs them. */
        Applied.Fields fields() {
            Applied.Fields fields = new Applied.Fields(new Document(), new ArrayList<>(), null);
            entries.forEach((path, value) -> {
                if (Values.isMissing(value)) {
                    fields.removed().add(path);
                } else {
                    fields.updated().put(path, value);
                }
            });
            return fields;
        }
    }
}
