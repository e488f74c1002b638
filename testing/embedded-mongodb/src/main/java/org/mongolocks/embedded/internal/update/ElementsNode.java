package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.update.UpdateNode.ChangeLog;
import org.mongolocks.embedded.internal.update.UpdateNode.FieldPosition;

/** A node whose children are elements of an array chosen by {@code $[]} or by an array filter, {@code $[name]}. */
final class ElementsNode implements UpdateNode {
    private final TreeMap<String, UpdateNode> children = new TreeMap<>();
    private final Map<String, Filter> filters;

    ElementsNode(Map<String, Filter> filters) {
        this.filters = filters;
    }

    @Nullable
    UpdateNode child(String filterName) {
        return children.get(filterName);
    }

    void put(String filterName, UpdateNode node) {
        children.put(filterName, node);
    }

    @Override
    public @Nullable Object apply(@Nullable Object current, FieldPosition at) {
        if (Values.isMissing(current)) {
            throw CommandError.badValue(
                    "The path '" + at.path() + "' must exist in the document in order to apply array updates.");
        }
        if (current instanceof List<?> array) {
            return inArray(array, at);
        }
        throw CommandError.badValue(
                "Cannot apply array updates to non-array element " + ShellText.field(at.lastPart(), current));
    }

    private Object inArray(List<?> array, FieldPosition at) {
        List<@Nullable Object> changed = new ArrayList<>(array);
        List<ChangeLog> logs = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
            UpdateNode node = nodeFor(array.get(i));
            ChangeLog log = new ChangeLog();
            if (node != null) {
                FieldPosition element = at.child(Integer.toString(i)).loggingTo(log);
                changed.set(i, Values.toNull(node.apply(array.get(i), element)));
            }
            if (!log.isEmpty()) {
                logs.add(log);
            }
        }
        log(logs, changed, at);
        return logs.isEmpty() ? array : changed;
    }

    // One changed element is logged by itself, several as the whole array.
    private static void log(List<ChangeLog> logs, List<?> changed, FieldPosition at) {
        if (logs.size() == 1) {
            at.log().addAll(logs.get(0));
        } else if (!logs.isEmpty()) {
            at.log().put(at.path(), changed);
        }
    }

    private @Nullable UpdateNode nodeFor(@Nullable Object element) {
        UpdateNode node = null;
        for (Map.Entry<String, UpdateNode> child : children.entrySet()) {
            Filter filter = filters.get(child.getKey());
            if (filter == null || filter.matches(new Document(child.getKey(), element))) {
                if (node != null) {
                    throw CommandError.unsupported("An element that several array filters choose");
                }
                node = child.getValue();
            }
        }
        return node;
    }
}
