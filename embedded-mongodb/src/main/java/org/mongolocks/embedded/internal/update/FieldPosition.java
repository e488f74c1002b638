package org.mongolocks.embedded.internal.update;

import org.mongolocks.embedded.internal.bson.ShellText;

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
