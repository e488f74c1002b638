package org.mongolocks.embedded.internal.expression;

import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.error.CommandError;

/** The rules for field paths in pipelines. */
public final class FieldPaths {
    private FieldPaths() {}

    /** A path that obeys the rules. */
    public static FieldPath checked(String text) {
        if (text.isEmpty()) {
            throw new CommandError(40352, "FieldPath cannot be constructed with empty string");
        }
        if (text.endsWith(".")) {
            throw new CommandError(40353, "FieldPath must not end with a '.'.");
        }
        FieldPath path = FieldPath.of(text);
        for (int i = 0; i < path.length(); i++) {
            checkPart(path.part(i));
        }
        return path;
    }

    static void checkPart(String part) {
        if (part.isEmpty()) {
            throw new CommandError(15998, "FieldPath field names may not be empty strings.");
        }
        if (part.startsWith("$")) {
            throw new CommandError(16410, "FieldPath field names may not start with '$'.");
        }
        if (part.indexOf('\0') >= 0) {
            throw new CommandError(16411, "FieldPath field names may not contain '\\0'.");
        }
    }
}
