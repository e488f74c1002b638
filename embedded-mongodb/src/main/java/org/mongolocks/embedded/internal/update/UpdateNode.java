package org.mongolocks.embedded.internal.update;

import org.jspecify.annotations.Nullable;

/** A node in the tree of paths that an update changes. */
sealed interface UpdateNode permits FieldsNode, ElementsNode, LeafNode {
    /** The new value at this node; {@code current} itself if nothing changes. */
    @Nullable
    Object apply(@Nullable Object current, FieldPosition at);

    /** Whether the path to this node must be one that a field could be made at. */
    boolean needsViablePath();

    /** One node that does what both do; the paths they share must not conflict. */
    static UpdateNode merge(UpdateNode a, UpdateNode b, String path) {
        if (a instanceof FieldsNode x && b instanceof FieldsNode y) {
            return x.mergedWith(y, path);
        }
        if (a instanceof ElementsNode x && b instanceof ElementsNode y) {
            return x.mergedWith(y, path);
        }
        throw UpdateError.conflict(path, path);
    }
}
