package org.mongolocks.embedded.internal.update;

import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.bson.SameBytes;

/** The end of a path: one operator. */
record LeafNode(Modifier modifier) implements UpdateNode {
    @Override
    public boolean needsViablePath() {
        return modifier.needsViablePath();
    }

    @Override
    public @Nullable Object apply(@Nullable Object current, FieldPosition at) {
        if (Absence.isMissing(current) && !modifier.creates()) {
            return current;
        }
        Object changed = modifier.apply(current, at);
        if (SameBytes.test(current, changed)) {
            return current;
        }
        StorageRules.checkValue(changed, at.path());
        if (Absence.isMissing(changed)) {
            at.log().unset(at.path());
        } else {
            modifier.log(current, changed, at);
        }
        return changed;
    }
}
