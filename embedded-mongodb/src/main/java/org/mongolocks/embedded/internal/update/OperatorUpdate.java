package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Objects;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** An update by operators. */
record OperatorUpdate(FieldsNode root) implements Update {
    @Override
    public Applied applyTo(Document document, UpdateContext context) {
        ChangeLog log = new ChangeLog();
        Document changed = (Document) Objects.requireNonNull(root.apply(document, new FieldPosition("", context, log)));
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
        return new Applied(changed, false, log.fields());
    }
}
