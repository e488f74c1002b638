package org.mongolocks.embedded.internal.storage;

import de.bwaldvogel.mongo.bson.BsonRegularExpression;
import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.SameBytes;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.query.Equalities;
import org.mongolocks.embedded.internal.query.Filter;

/**
 * The fields by which the documents of a collection are spread over shards. Here each value of them is a shard of its own, so that nothing
 * is unique across two of them.
 *
 * @param pattern the fields, each with 1
 */
public record ShardKey(Document pattern) {
    /** Whether a filter says which value each of the fields has. */
    public boolean isGivenBy(Filter filter) {
        Set<String> given = new HashSet<>();
        Equalities.in(filter, (path, value) -> {
            if (!(value instanceof List) && !(value instanceof BsonRegularExpression)) {
                given.add(path.toString());
            }
        });
        return given.containsAll(pattern.keySet());
    }

    /** Whether two documents are on the same shard. */
    public boolean isSame(Document a, Document b) {
        return SameBytes.test(of(a), of(b));
    }

    // A field that is missing counts as null.
    private List<@Nullable Object> of(Document document) {
        List<@Nullable Object> values = new ArrayList<>();
        pattern.keySet()
                .forEach(field -> values.add(Values.toNull(FieldPath.of(field).in(document))));
        return values;
    }

    /** Whether an index begins with the fields of this key, so that it may be unique, and that it may serve as the index of the key. */
    public boolean isPrefixOf(Document keyPattern) {
        Iterator<String> fields = keyPattern.keySet().iterator();
        for (String field : pattern.keySet()) {
            if (!fields.hasNext() || !fields.next().equals(field)) {
                return false;
            }
        }
        return true;
    }
}
