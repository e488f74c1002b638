package org.mongolocks.embedded.internal.storage;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.index.IndexSpec;
import org.mongolocks.embedded.internal.index.IndexState;
import org.mongolocks.embedded.internal.tree.SortedTree;

/** A collection: its records in the order of their insertion, and its indexes; immutable. */
public final class CollectionState {
    private final Namespace namespace;
    private final UUID uuid;
    private final Document options;
    private final long visibleFrom;
    private final SortedTree<Long, StoredRecord> records;
    private final List<IndexState> indexes;

    private CollectionState(
            Namespace namespace,
            UUID uuid,
            Document options,
            long visibleFrom,
            SortedTree<Long, StoredRecord> records,
            List<IndexState> indexes) {
        this.namespace = namespace;
        this.uuid = uuid;
        this.options = options;
        this.visibleFrom = visibleFrom;
        this.records = records;
        this.indexes = indexes;
    }

    /**
     * A new collection.
     *
     * @param options what listCollections shows of it; a collection that has any holds no documents
     * @param visibleFrom the timestamp of its creation
     */
    public static CollectionState create(Namespace namespace, UUID uuid, Document options, long visibleFrom) {
        List<IndexState> indexes = List.of(IndexState.empty(IndexSpec.ID));
        return new CollectionState(namespace, uuid, options, visibleFrom, SortedTree.natural(), indexes);
    }

    public Namespace namespace() {
        return namespace;
    }

    public UUID uuid() {
        return uuid;
    }

    public Document options() {
        return options;
    }

    /** Whether this is a view, which is listed with the collections. */
    public boolean isView() {
        return options.containsKey("viewOn");
    }

    /** The timestamp of the last change of the collection itself; a transaction that began before may not use it. */
    public long visibleFrom() {
        return visibleFrom;
    }

    public SortedTree<Long, StoredRecord> records() {
        return records;
    }

    public List<IndexState> indexes() {
        return indexes;
    }

    public IndexState idIndex() {
        return indexes.get(0);
    }

    public @Nullable StoredRecord record(long id) {
        return records.get(id);
    }

    /** The record with this {@code _id}, or null. */
    public @Nullable StoredRecord byId(@Nullable Object id) {
        Long record = idIndex().find(Arrays.asList(id));
        return record == null ? null : records.get(record);
    }

    /** This collection with one more document, in a place that no other has had; a duplicate key is an error. */
    public CollectionState inserted(Document document, long id) {
        // Which documents MongoDB would delete, reject or take for equal is not known here.
        if (!options.isEmpty()) {
            throw CommandError.unsupported("Writing to a collection with the option '"
                    + options.keySet().iterator().next() + "'");
        }
        List<IndexState> changed = new ArrayList<>(indexes.size());
        for (IndexState index : indexes) {
            changed.add(index.with(document, id, namespace.toString()));
        }
        return with(records.with(id, new StoredRecord(id, document)), changed);
    }

    /** This collection with another document in the place of one; a duplicate key is an error. */
    public CollectionState updated(StoredRecord old, Document document) {
        List<IndexState> changed = new ArrayList<>(indexes.size());
        for (IndexState index : indexes) {
            changed.add(reindexed(index, old, document));
        }
        return with(records.with(old.id(), new StoredRecord(old.id(), document)), changed);
    }

    private IndexState reindexed(IndexState index, StoredRecord old, Document document) {
        // Most updates leave most keys alone, byte for byte.
        if (index.keyOf(document).equals(index.keyOf(old.document()))) {
            return index;
        }
        return index.without(old.document(), old.id()).with(document, old.id(), namespace.toString());
    }

    /** This collection without a record. */
    public CollectionState deleted(StoredRecord old) {
        List<IndexState> changed = new ArrayList<>(indexes.size());
        for (IndexState index : indexes) {
            changed.add(index.without(old.document(), old.id()));
        }
        return with(records.without(old.id()), changed);
    }

    private CollectionState with(SortedTree<Long, StoredRecord> changed, List<IndexState> reindexed) {
        return new CollectionState(namespace, uuid, options, visibleFrom, changed, reindexed);
    }

    /** This collection with one more index over all its documents; a duplicate key is an error. */
    public CollectionState indexed(IndexSpec spec, long timestamp) {
        IndexState index = IndexState.empty(spec);
        for (StoredRecord record : records.values()) {
            index = index.with(record.document(), record.id(), namespace.toString());
        }
        List<IndexState> changed = new ArrayList<>(indexes);
        changed.add(index);
        return withIndexes(changed, timestamp);
    }

    /** This collection with other indexes. */
    public CollectionState withIndexes(List<IndexState> indexes, long timestamp) {
        return new CollectionState(namespace, uuid, options, timestamp, records, List.copyOf(indexes));
    }

    /** This collection under another name. */
    public CollectionState renamed(Namespace target, long timestamp) {
        return new CollectionState(target, uuid, options, timestamp, records, indexes);
    }

    public @Nullable IndexState index(String name) {
        for (IndexState index : indexes) {
            if (index.spec().name().equals(name)) {
                return index;
            }
        }
        return null;
    }

    /** A document with its place in the collection. Its identity is its version: each write makes a new one. */
    public static final class StoredRecord {
        private final long id;
        private final Document document;

        StoredRecord(long id, Document document) {
            this.id = id;
            this.document = document;
        }

        public long id() {
            return id;
        }

        public Document document() {
            return document;
        }
    }
}
