package org.mongolocks.embedded.internal.index;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.mongolocks.embedded.internal.bson.SameBytes;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** Whether an index may stand beside those that exist. */
public final class IndexConflicts {
    private IndexConflicts() {}

    /** Whether the same index exists already; one that is too similar is an error. */
    public static boolean alreadyExists(IndexSpec wanted, List<IndexSpec> existing) {
        for (IndexSpec index : existing) {
            if (index.name().equals(wanted.name())) {
                checkSameName(wanted, index);
                return true;
            }
        }
        for (IndexSpec index : existing) {
            if (hasSameKey(wanted, index)) {
                throw sameKey(wanted, index);
            }
        }
        return false;
    }

    private static void checkSameName(IndexSpec wanted, IndexSpec index) {
        if (!hasSameKey(wanted, index)) {
            throw new CommandError(
                    ErrorCode.INDEX_KEY_SPECS_CONFLICT,
                    "Index must have unique name.The existing index: " + ShellText.of(index.definition())
                            + " has the same name as the requested index: " + ShellText.of(wanted.definition()));
        }
        if (!hasSameOptions(wanted, index)) {
            throw new CommandError(
                    ErrorCode.INDEX_OPTIONS_CONFLICT,
                    "Index with name: " + wanted.name() + " already exists with different options");
        }
    }

    private static CommandError sameKey(IndexSpec wanted, IndexSpec index) {
        String message = hasSameOptions(wanted, index)
                ? "Index already exists with a different name: " + index.name()
                : "Index: " + ShellText.of(wanted.definition()) + " already exists with different options: "
                        + ShellText.of(index.definition());
        return new CommandError(ErrorCode.INDEX_OPTIONS_CONFLICT, message);
    }

    private static boolean hasSameKey(IndexSpec a, IndexSpec b) {
        return ValueOrder.same(a.keyPattern(), b.keyPattern())
                && ValueOrder.same(
                        a.definition().get("collation"), b.definition().get("collation"));
    }

    private static boolean hasSameOptions(IndexSpec a, IndexSpec b) {
        return a.isUnique() == b.isUnique()
                && a.isSparse() == b.isSparse()
                && ValueOrder.same(a.expireAfterSeconds(), b.expireAfterSeconds())
                && SameBytes.test(partialExpression(a), partialExpression(b));
    }

    private static Object partialExpression(IndexSpec spec) {
        return spec.definition().getOrDefault("partialFilterExpression", new Document());
    }
}
