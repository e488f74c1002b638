package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.SameBytes;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.pipeline.Stage.DocumentStage;
import org.mongolocks.embedded.internal.update.UpdateNode.ChangeLog;
import org.mongolocks.embedded.internal.update.UpdateNode.FieldPosition;

/** A parsed update, ready to be applied to documents. */
public interface Update {
    /**
     * Applies the update to a document.
     *
     * @return the outcome; the document itself if nothing would change
     */
    Applied applyTo(Document document, UpdateContext context);

    /** Whether the update replaces the document, so that an upsert takes no more than {@code _id} over from its query. */
    default boolean isReplacement() {
        return false;
    }

    /**
     * The result of an update of a document.
     *
     * @param document the new document
     * @param isNoop whether it is the old one
     * @param fields the fields that changed, or null if the whole document was replaced
     */
    record Applied(
            Document document, boolean isNoop, @Nullable Fields fields) {
        static Applied noop(Document document) {
            return new Applied(document, true, null);
        }

        /**
         * The fields that an update changed, by dotted path.
         *
         * @param updated new values
         * @param removed what is gone
         * @param truncated the arrays that were cut off at their end, null in versions that do not tell
         */
        public record Fields(
                Document updated,
                List<String> removed,
                @Nullable List<Document> truncated) {}
    }

    /**
     * The inputs of an update beside the document.
     *
     * @param original the document before the update
     * @param isInsert whether an upsert is making a new document
     * @param logsDiffs whether the difference is logged, as since MongoDB 5.0
     * @param now the time of this attempt
     * @param timestamps gives a new timestamp each time
     */
    record UpdateContext(
            Document original, boolean isInsert, boolean logsDiffs, Instant now, Supplier<BsonTimestamp> timestamps) {}

    /** An update by operators. */
    record OperatorUpdate(FieldsNode root) implements Update {
        @Override
        public Applied applyTo(Document document, UpdateContext context) {
            ChangeLog log = new ChangeLog();
            Document changed =
                    (Document) Objects.requireNonNull(root.apply(document, new FieldPosition("", context, log)));
            if (log.isEmpty()) {
                return Applied.noop(document);
            }
            boolean hadId = document.containsKey("_id");
            if (hadId && !(changed.containsKey("_id") && ValueOrder.same(document.get("_id"), changed.get("_id")))) {
                throw new CommandError(
                        ErrorCode.IMMUTABLE_FIELD,
                        "Performing an update on the path '_id' would modify the immutable field '_id'");
            }
            StorageRules.checkWhole(changed);
            return new Applied(changed, false, context.logsDiffs() ? Diff.logged(log, document) : log.fields());
        }
    }

    /** An update by an aggregation pipeline. */
    record PipelineUpdate(List<DocumentStage> stages, Scope scope) implements Update {
        @Override
        public Applied applyTo(Document document, UpdateContext context) {
            Document result = document;
            for (DocumentStage stage : stages) {
                result = stage.transform(result, scope);
            }
            Applied replaced = ReplacementUpdate.replace(document, result);
            return replaced.isNoop() || !context.logsDiffs()
                    ? replaced
                    : new Applied(replaced.document(), false, Diff.between(document, replaced.document()));
        }
    }

    /** An update that puts another document in the place of the old one, and keeps the {@code _id}. */
    record ReplacementUpdate(Document replacement) implements Update {
        @Override
        public Applied applyTo(Document document, UpdateContext context) {
            return replace(document, replacement);
        }

        @Override
        public boolean isReplacement() {
            return true;
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
}
