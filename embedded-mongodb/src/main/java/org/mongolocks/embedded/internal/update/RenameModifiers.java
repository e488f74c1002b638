package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** {@code $rename}: the target takes the value of the source, and the source goes. */
final class RenameModifiers {
    private RenameModifiers() {}

    /** At the path of the target. */
    record Target(FieldPath source, FieldPath target) implements Modifier {
        @Override
        public @Nullable Object apply(@Nullable Object current, FieldPosition at) {
            Document document = at.context().original();
            refuseArrays(source, document, "source", at);
            Object value = source.in(document);
            if (Absence.isMissing(value)) {
                return current;
            }
            refuseArrays(target, document, "destination", at);
            return value;
        }
    }

    private static void refuseArrays(FieldPath path, Document document, String role, FieldPosition at) {
        Object value = document;
        for (int i = 0; i < path.length() && value instanceof Document inner; i++) {
            value = inner.getOrMissing(path.part(i));
            boolean isPast = !path.isLast(i) && !(value instanceof Document) && !Absence.isMissing(value);
            boolean isElement = isPast && value instanceof List && FieldPath.arrayIndex(path.part(i + 1)) >= 0;
            if (isElement) {
                throw UpdateError.badValue("The " + role + " field cannot be an array element, '" + path
                        + "' in doc with "
                        + ShellText.field("_id", at.context().original().get("_id"))
                        + " has an array field called '" + path.part(i) + "'");
            }
            if (isPast) {
                throw new CommandError(
                        ErrorCode.PATH_NOT_VIABLE,
                        "Cannot use the part (" + path.part(i + 1) + ") of (" + path + ") to traverse the element ({"
                                + ShellText.field(path.part(i), value) + "})");
            }
        }
    }
}
