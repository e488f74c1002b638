package org.mongolocks.embedded.internal.index;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map.Entry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.query.Filter;

/** The definition of an index. */
public final class IndexSpec implements Comparator<IndexKey> {
    /** The index that every collection has. */
    public static final IndexSpec ID = new IndexSpec(
            new Document("v", 2).append("key", new Document("_id", 1)).append("name", "_id_"), null);

    private final Document definition;
    private final String name;
    private final Document keyPattern;
    private final List<FieldPath> paths = new ArrayList<>();
    private final int[] directions;
    private final @Nullable Filter partialFilter;

    /**
     * Makes a specification that was checked before.
     *
     * @param definition as listIndexes shows it
     */
    IndexSpec(Document definition, @Nullable Filter partialFilter) {
        this.definition = definition;
        this.name = (String) Objects.requireNonNull(definition.get("name"));
        this.keyPattern = (Document) Objects.requireNonNull(definition.get("key"));
        this.partialFilter = partialFilter;
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

    public boolean isSparse() {
        return Boolean.TRUE.equals(definition.get("sparse"));
    }

    public boolean isPartial() {
        return partialFilter != null;
    }

    public boolean isHidden() {
        return Boolean.TRUE.equals(definition.get("hidden"));
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
        return new IndexSpec(changed, partialFilter);
    }

    /** This index, hidden from the planner or shown again. */
    public IndexSpec hidden(boolean isHidden) {
        Document changed = definition.clone();
        changed.remove("hidden");
        if (isHidden) {
            changed.put("hidden", true);
        }
        return new IndexSpec(changed, partialFilter);
    }

    /** Whether a document belongs into this index. */
    boolean covers(Document document) {
        if (partialFilter != null) {
            return partialFilter.matches(document);
        }
        return !isSparse() || KeyGenerator.hasAnyField(document, paths);
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
}
