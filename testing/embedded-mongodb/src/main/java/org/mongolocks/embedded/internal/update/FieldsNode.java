package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
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

/** A node whose children are fields of a document, or indexes of an array. */
final class FieldsNode implements UpdateNode {
    private static final int MAX_PADDING = 1_500_000;

    private final TreeMap<String, UpdateNode> children = new TreeMap<>();

    @Nullable
    UpdateNode child(String name) {
        return children.get(name);
    }

    void put(String name, UpdateNode node) {
        children.put(name, node);
    }

    FieldsNode mergedWith(FieldsNode other, String path) {
        FieldsNode merged = new FieldsNode();
        merged.children.putAll(children);
        other.children.forEach((name, node) -> merged.children.merge(
                name, node, (a, b) -> UpdateNode.merge(a, b, path.isEmpty() ? name : path + '.' + name)));
        return merged;
    }

    @Override
    public @Nullable Object apply(@Nullable Object current, FieldPosition at) {
        if (current instanceof Document document) {
            return inDocument(document, children, at);
        }
        if (current instanceof List<?> array) {
            return inArray(array, children, at);
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
        if (changed != null) {
            for (String name : nodes.keySet()) {
                StorageRules.checkReference(name, changed);
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

    private static Object inArray(List<?> array, Map<String, UpdateNode> nodes, FieldPosition at) {
        List<@Nullable Object> changed = new ArrayList<>(array);
        boolean isChanged = false;
        for (Map.Entry<String, UpdateNode> child : nodes.entrySet()) {
            int index = FieldPath.arrayIndex(child.getKey());
            Object before = index >= 0 && index < changed.size() ? changed.get(index) : Values.MISSING;
            Object after = child.getValue().apply(before, at.child(child.getKey()));
            if (after != before) {
                isChanged = true;
                put(changed, index, after, child.getKey(), at);
            }
        }
        return isChanged ? changed : array;
    }

    private static void put(
            List<@Nullable Object> array, int index, @Nullable Object value, String name, FieldPosition at) {
        if (index < 0) {
            throw cannotCreate(name, array, at);
        }
        if (index > array.size() + MAX_PADDING) {
            throw new CommandError(
                    ErrorCode.CANNOT_BACKFILL_ARRAY,
                    "can't backfill array to larger than " + MAX_PADDING + " elements");
        }
        while (array.size() <= index) {
            array.add(null);
        }
        // An element of an array cannot go away alone: it becomes null.
        array.set(index, Values.toNull(value));
    }

    // Past a scalar nothing can be made, but an operator that only takes away has nothing to do.
    private static @Nullable Object notViable(
            @Nullable Object current, Map<String, UpdateNode> nodes, FieldPosition at) {
        for (Map.Entry<String, UpdateNode> child : nodes.entrySet()) {
            FieldPosition below = at.child(child.getKey()).loggingTo(new ChangeLog());
            if (!Values.isMissing(child.getValue().apply(Values.MISSING, below))) {
                throw cannotCreate(child.getKey(), current, at);
            }
        }
        return current;
    }

    private static CommandError cannotCreate(String name, @Nullable Object in, FieldPosition at) {
        return new CommandError(
                ErrorCode.PATH_NOT_VIABLE,
                "Cannot create field '" + name + "' in element {" + ShellText.field(at.lastPart(), in) + "}");
    }
}
