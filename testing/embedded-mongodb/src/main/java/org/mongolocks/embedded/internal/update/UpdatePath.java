package org.mongolocks.embedded.internal.update;

import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** The rules for the paths that update operators name. */
final class UpdatePath {
    private UpdatePath() {}

    static FieldPath checked(String text) {
        if (text.isEmpty()) {
            throw new CommandError(ErrorCode.EMPTY_FIELD_NAME, "An empty update path is not valid.");
        }
        FieldPath path = FieldPath.of(text);
        for (int i = 0; i < path.length(); i++) {
            checkPart(path.part(i), i, text);
        }
        return path;
    }

    private static void checkPart(String part, int index, String path) {
        if (part.isEmpty()) {
            throw new CommandError(
                    ErrorCode.EMPTY_FIELD_NAME,
                    "The update path '" + path + "' contains an empty field name, which is not allowed.");
        }
        if (!part.startsWith("$")) {
            return;
        }
        if (part.equals("$")) {
            throw CommandError.unsupported("The positional operator '$'");
        }
        boolean isDynamic = isArrayFilter(part);
        if (isDynamic && index == 0) {
            throw CommandError.badValue(
                    "Cannot have array filter identifier or positional (i.e. '$') element in the first"
                            + " position in path '" + path + "'");
        }
        if (!isDynamic) {
            throw new CommandError(
                    ErrorCode.DOLLAR_PREFIXED_FIELD_NAME,
                    "The dollar ($) prefixed field '" + part + "' in '" + path + "' is not valid for storage.");
        }
    }

    static boolean isArrayFilter(String part) {
        return part.startsWith("$[") && part.endsWith("]");
    }

    /** The name inside {@code $[name]}. */
    static String filterName(String part) {
        return part.substring(2, part.length() - 1);
    }
}
