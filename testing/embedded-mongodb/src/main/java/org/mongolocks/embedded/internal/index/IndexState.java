package org.mongolocks.embedded.internal.index;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.tree.SortedTree;

/** An index with its entries; immutable. */
public final class IndexState {
    private final IndexSpec spec;
    private final SortedTree<IndexKey, Long> entries;

    private IndexState(IndexSpec spec, SortedTree<IndexKey, Long> entries) {
        this.spec = spec;
        this.entries = entries;
    }

    public static IndexState empty(IndexSpec spec) {
        return new IndexState(spec, SortedTree.orderedBy(spec));
    }

    public IndexSpec spec() {
        return spec;
    }

    /** The same entries under a changed definition; the key pattern must be the same. */
    public IndexState redefined(IndexSpec changed) {
        return new IndexState(changed, entries);
    }

    /** The key of a document in this index. */
    public List<@Nullable Object> keyOf(Document document) {
        List<@Nullable Object> key = new ArrayList<>(spec.paths().size());
        for (FieldPath path : spec.paths()) {
            key.add(path.key(document));
        }
        return key;
    }

    /** The record that has these key values, or null. */
    public @Nullable Long find(List<@Nullable Object> values) {
        Iterator<Entry<IndexKey, Long>> entries = this.entries.from(IndexKey.before(values));
        if (!entries.hasNext()) {
            return null;
        }
        Entry<IndexKey, Long> entry = entries.next();
        return spec.compareValues(entry.getKey().values(), values) == 0 ? entry.getValue() : null;
    }

    /** The entries from some values of the first fields on. */
    public Iterator<Entry<IndexKey, Long>> from(List<@Nullable Object> values) {
        return entries.from(IndexKey.before(values));
    }

    /** The entries after one that was seen. */
    public Iterator<Entry<IndexKey, Long>> after(IndexKey key) {
        return entries.after(key);
    }

    /** This index with a document; a key that another record has is an error if the index is unique. */
    public IndexState with(Document document, long record, String namespace) {
        List<@Nullable Object> key = keyOf(document);
        Long holder = spec.isUnique() ? find(key) : null;
        if (holder != null && holder != record) {
            throw duplicate(key, namespace);
        }
        return new IndexState(spec, entries.with(new IndexKey(key, record), record));
    }

    /** The error for a key that another record has. */
    public CommandError duplicate(List<@Nullable Object> key, String namespace) {
        Document values = new Document();
        for (String field : spec.keyPattern().keySet()) {
            values.put(field, Values.toNull(key.get(values.size())));
        }
        return new CommandError(
                ErrorCode.DUPLICATE_KEY,
                "E11000 duplicate key error collection: " + namespace + " index: " + spec.name() + " dup key: "
                        + ShellText.of(values),
                new Document("keyPattern", spec.keyPattern()).append("keyValue", values));
    }

    /** This index without a document. */
    public IndexState without(Document document, long record) {
        return new IndexState(spec, entries.without(new IndexKey(keyOf(document), record)));
    }

    /**
     * The key of a document in an index, with the record it leads to.
     *
     * @param values one for each field of the index
     * @param record the id of the record
     */
    public record IndexKey(List<@Nullable Object> values, long record) {
        /** A key that sorts before all records with these values. */
        static IndexKey before(List<@Nullable Object> values) {
            return new IndexKey(values, Long.MIN_VALUE);
        }
    }
}
