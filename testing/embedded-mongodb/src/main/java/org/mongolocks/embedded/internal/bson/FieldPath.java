package org.mongolocks.embedded.internal.bson;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.error.CommandError;

/** A dotted path, taken apart once. */
public final class FieldPath {
    private final String text;
    private final String[] parts;

    private FieldPath(String text, String[] parts) {
        this.text = text;
        this.parts = parts;
    }

    public static FieldPath of(String text) {
        if (text.indexOf('.') < 0) {
            return new FieldPath(text, new String[] {text});
        }
        List<String> parts = new ArrayList<>();
        int start = 0;
        for (int dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', start)) {
            parts.add(text.substring(start, dot));
            start = dot + 1;
        }
        parts.add(text.substring(start));
        return new FieldPath(text, parts.toArray(String[]::new));
    }

    /** A path that obeys the rules of pipelines. */
    public static FieldPath checked(String text) {
        if (text.isEmpty()) {
            throw new CommandError(40352, "FieldPath cannot be constructed with empty string");
        }
        if (text.endsWith(".")) {
            throw new CommandError(40353, "FieldPath must not end with a '.'.");
        }
        FieldPath path = of(text);
        for (int i = 0; i < path.length(); i++) {
            checkPart(path.part(i));
        }
        return path;
    }

    /** Checks one part of a path, likewise. */
    public static void checkPart(String part) {
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

    public int length() {
        return parts.length;
    }

    public String part(int index) {
        return parts[index];
    }

    public String first() {
        return parts[0];
    }

    public boolean isLast(int index) {
        return index == parts.length - 1;
    }

    /** The parts from an index on, joined again. */
    public String from(int index) {
        return index == 0 ? text : String.join(".", List.of(parts).subList(index, parts.length));
    }

    /** The parts before an index, joined again. */
    public String upTo(int index) {
        return String.join(".", List.of(parts).subList(0, index));
    }

    /** The error for a path that would have to be followed through an array. */
    public static CommandError throughArray(Object path) {
        return CommandError.unsupported("The path '" + path + "' through an array");
    }

    /** The value at this path, or missing. */
    public @Nullable Object in(Document document) {
        Object value = document;
        for (String part : parts) {
            if (value instanceof List) {
                throw throughArray(this);
            }
            if (!(value instanceof Document inner)) {
                return Values.MISSING;
            }
            value = inner.getOrMissing(part);
        }
        return value;
    }

    /** The value at this path as a key to order documents by: null if it is missing. An array would be several. */
    public @Nullable Object key(Document document) {
        Object value = in(document);
        if (value instanceof List) {
            throw CommandError.unsupported("An index or a sort by the array '" + text + "'");
        }
        return Values.toNull(value);
    }

    @Override
    public String toString() {
        return text;
    }
}
