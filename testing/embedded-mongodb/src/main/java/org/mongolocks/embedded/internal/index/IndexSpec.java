package org.mongolocks.embedded.internal.index;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map.Entry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.index.IndexState.IndexKey;

/** The definition of an index. */
public final class IndexSpec implements Comparator<IndexKey> {
    /** The index that every collection has. */
    public static final IndexSpec ID = new IndexSpec(
            new Document("v", 2).append("key", new Document("_id", 1)).append("name", "_id_"));

    private final Document definition;
    private final String name;
    private final Document keyPattern;
    private final List<FieldPath> paths = new ArrayList<>();
    private final int[] directions;

    /**
     * Makes a specification that was checked before.
     *
     * @param definition as listIndexes shows it
     */
    IndexSpec(Document definition) {
        this.definition = definition;
        this.name = (String) Objects.requireNonNull(definition.get("name"));
        this.keyPattern = (Document) Objects.requireNonNull(definition.get("key"));
        this.directions = new int[keyPattern.size()];
        for (Entry<String, Object> field : keyPattern.entrySet()) {
            directions[paths.size()] = ((Number) field.getValue()).doubleValue() < 0 ? -1 : 1;
            paths.add(FieldPath.of(field.getKey()));
        }
    }

    public Document definition() {
        return definition;
    }

    public String name() {
        return name;
    }

    public Document keyPattern() {
        return keyPattern;
    }

    public List<FieldPath> paths() {
        return paths;
    }

    public boolean isId() {
        return name.equals("_id_");
    }

    public boolean isUnique() {
        return isId() || Boolean.TRUE.equals(definition.get("unique"));
    }

    /** How many seconds after the date in its field a document expires, or null if this is not a TTL index. */
    public @Nullable Number expireAfterSeconds() {
        return definition.get("expireAfterSeconds") instanceof Number seconds ? seconds : null;
    }

    /** This index with another expiry, which is a long and comes last, as MongoDB writes it into its catalog. */
    public IndexSpec expiringAfter(long seconds) {
        Document changed = definition.clone();
        changed.remove("expireAfterSeconds");
        changed.put("expireAfterSeconds", seconds);
        return new IndexSpec(changed);
    }

    /** Whether the first field goes up. */
    public boolean isAscending() {
        return directions[0] > 0;
    }

    int compareValues(List<@Nullable Object> a, List<@Nullable Object> b) {
        int fields = Math.min(a.size(), b.size());
        for (int i = 0; i < fields; i++) {
            int order = directions[i] * ValueOrder.compare(a.get(i), b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    @Override
    public int compare(IndexKey a, IndexKey b) {
        int order = compareValues(a.values(), b.values());
        return order != 0 ? order : Long.compare(a.record(), b.record());
    }

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
        return ValueOrder.same(a.keyPattern(), b.keyPattern());
    }

    private static boolean hasSameOptions(IndexSpec a, IndexSpec b) {
        return a.isUnique() == b.isUnique() && ValueOrder.same(a.expireAfterSeconds(), b.expireAfterSeconds());
    }
}
