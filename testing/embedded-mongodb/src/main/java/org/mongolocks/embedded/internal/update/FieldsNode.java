package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.update.UpdateNode.ChangeLog;
import org.mongolocks.embedded.internal.update.UpdateNode.FieldPosition;

/** A node whose children are fields of a document. */
final class FieldsNode implements UpdateNode {
    private final TreeMap<String, UpdateNode> children = new TreeMap<>();

    @Nullable
    UpdateNode child(String name) {
        return children.get(name);
    }

    void put(String name, UpdateNode node) {
        children.put(name, node);
    }

    @Override
    public @Nullable Object apply(@Nullable Object current, FieldPosition at) {
        if (current instanceof Document document) {
            return inDocument(document, children, at);
        }
        if (current instanceof List) {
            throw FieldPath.throughArray(at.child(children.firstKey()).path());
        }
        return Values.isMissing(current) ? created(children, at) : notViable(current, children, at);
    }

    private static Document inDocument(Document document, Map<String, UpdateNode> nodes, FieldPosition at) {
        Document changed = null;
        for (Map.Entry<String, UpdateNode> child : nodes.entrySet()) {
            String name = child.getKey();
            Object before = document.getOrMissing(name);
            Object after = child.getValue().apply(before, at.child(name));
            if (after != before) {
                changed = changed == null ? document.clone() : changed;
                put(changed, name, after);
            }
        }
        return changed == null ? document : changed;
    }

    private static void put(Document document, String name, @Nullable Object value) {
        if (Values.isMissing(value)) {
            document.remove(name);
        } else {
            document.put(name, value);
        }
    }

    private static @Nullable Object created(Map<String, UpdateNode> nodes, FieldPosition at) {
        Document created = inDocument(new Document(), nodes, at);
        return created.isEmpty() ? Values.MISSING : created;
    }

    // Past a scalar nothing can be made, but an operator that only takes away has nothing to do.
    private static @Nullable Object notViable(
            @Nullable Object current, Map<String, UpdateNode> nodes, FieldPosition at) {
        for (Map.Entry<String, UpdateNode> child : nodes.entrySet()) {
            FieldPosition below = at.child(child.getKey()).loggingTo(new ChangeLog());
            if (!Values.isMissing(child.getValue().apply(Values.MISSING, below))) {
                throw new CommandError(
                        ErrorCode.PATH_NOT_VIABLE,
                        "Cannot create field '" + child.getKey() + "' in element {"
                                + ShellText.field(at.lastPart(), current) + "}");
            }
        }
        return current;
    }
}
