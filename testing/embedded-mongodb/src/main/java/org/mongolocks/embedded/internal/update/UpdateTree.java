package org.mongolocks.embedded.internal.update;

import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.update.UpdateNode.LeafNode;

/** Puts operators into the tree of paths and finds those that conflict. */
final class UpdateTree {
    private final FieldsNode root = new FieldsNode();
    private final ArrayFilters filters;

    UpdateTree(ArrayFilters filters) {
        this.filters = filters;
    }

    FieldsNode root() {
        return root;
    }

    void add(FieldPath path, Modifier modifier) {
        UpdateNode node = root;
        for (int i = 0; i < path.length(); i++) {
            node = path.isLast(i) ? putLeaf(node, path, i, modifier) : inner(node, path, i);
        }
    }

    private UpdateNode putLeaf(UpdateNode parent, FieldPath path, int index, Modifier modifier) {
        if (child(parent, path, index) != null) {
            throw UpdateNode.conflict(path.toString(), path.upTo(index + 1));
        }
        return put(parent, path, index, new LeafNode(modifier));
    }

    private UpdateNode inner(UpdateNode parent, FieldPath path, int index) {
        boolean wantsElements = UpdatePath.isArrayFilter(path.part(index + 1));
        UpdateNode existing = child(parent, path, index);
        if (existing == null) {
            return put(parent, path, index, wantsElements ? new ElementsNode(filters.byName()) : new FieldsNode());
        }
        boolean isSameKind = wantsElements ? existing instanceof ElementsNode : existing instanceof FieldsNode;
        if (!isSameKind) {
            throw UpdateNode.conflict(path.toString(), path.upTo(index + 1));
        }
        return existing;
    }

    private static @Nullable UpdateNode child(UpdateNode parent, FieldPath path, int index) {
        return parent instanceof ElementsNode elements
                ? elements.child(UpdatePath.filterName(path.part(index)))
                : ((FieldsNode) parent).child(path.part(index));
    }

    private UpdateNode put(UpdateNode parent, FieldPath path, int index, UpdateNode child) {
        if (parent instanceof ElementsNode elements) {
            String name = UpdatePath.filterName(path.part(index));
            filters.use(name, path.toString());
            elements.put(name, child);
        } else {
            ((FieldsNode) parent).put(path.part(index), child);
        }
        return child;
    }
}
