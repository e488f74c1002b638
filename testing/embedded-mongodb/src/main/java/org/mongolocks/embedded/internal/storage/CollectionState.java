package org.mongolocks.embedded.internal.storage;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonSize;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.index.IndexSpec;
import org.mongolocks.embedded.internal.index.IndexState;
import org.mongolocks.embedded.internal.tree.SortedTree;

/** A collection: its records in the order of their insertion, and its indexes; immutable. */
public final class CollectionState {
    private final Namespace namespace;
    private final UUID uuid;
    private final CollectionOptions options;
    private final long visibleFrom;
    private final SortedTree<Long, StoredRecord> records;
    private final List<IndexState> indexes;
    // Known of capped collections only.
    private final long bytes;

    private CollectionState(
            Namespace namespace,
            UUID uuid,
            CollectionOptions options,
            long visibleFrom,
            SortedTree<Long, StoredRecord> records,
            List<IndexState> indexes,
            long bytes) {
        this.namespace = namespace;
        this.uuid = uuid;
        this.options = options;
        this.bytes = bytes;
        this.visibleFrom = visibleFrom;
        this.records = records;
        this.indexes = indexes;
    }

    /**
     * A new collection.
     *
     * @param visibleFrom the timestamp of its creation
     */
    public static CollectionState create(Namespace namespace, UUID uuid, CollectionOptions options, long visibleFrom) {
        List<IndexState> indexes = List.of(IndexState.empty(IndexSpec.id(options.collation())));
        return new CollectionState(namespace, uuid, options, visibleFrom, SortedTree.natural(), indexes, 0);
    }

    public Namespace namespace() {
        return namespace;
    }

    public UUID uuid() {
        return uuid;
    }

    public CollectionOptions options() {
        return options;
    }

    /** This collection with other options, which must agree with its documents. */
    public CollectionState with(CollectionOptions changed) {
        return new CollectionState(namespace, uuid, changed, visibleFrom, records, indexes, bytes);
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
        Long record = idIndex().find(idIndex().spec().collated(Arrays.asList(id)));
        return record == null ? null : records.get(record);
    }

    /**
     * This collection with one more document, in a place that no other has had; a duplicate key is an error. From a capped collection the
     * oldest documents go for it.
     */
    public CollectionState inserted(Document document, long id) {
        List<IndexState> changed = new ArrayList<>(indexes.size());
        for (IndexState index : indexes) {
            changed.add(index.with(document, id, namespace.toString(), other -> isDuplicate(document, other)));
        }
        SortedTree<Long, StoredRecord> grown = records.with(id, new StoredRecord(id, document));
        CollectionOptions.Capped capped = options.capped();
        if (capped == null) {
            return with(grown, changed, 0);
        }
        long size = BsonSize.of(document);
        if (size > capped.size()) {
            throw CommandError.badValue("object to insert exceeds cappedMaxSize");
        }
        return with(grown, changed, bytes + size).within(capped);
    }

    private CollectionState within(CollectionOptions.Capped capped) {
        CollectionState state = this;
        while (capped.isExceeded(state.bytes, state.records.size())) {
            state = state.deleted(state.records.first().getValue());
        }
        return state;
    }

    /** This collection with another document in the place of one; a duplicate key is an error. */
    public CollectionState updated(StoredRecord old, Document document) {
        if (options.capped() != null && BsonSize.of(document) != BsonSize.of(old.document())) {
            throw new CommandError(
                    ErrorCode.CANNOT_GROW_IN_CAPPED,
                    "Cannot change the size of a document in a capped collection: " + BsonSize.of(old.document())
                            + " != " + BsonSize.of(document));
        }
        List<IndexState> changed = new ArrayList<>(indexes.size());
        for (IndexState index : indexes) {
            changed.add(reindexed(index, old, document));
        }
        return with(records.with(old.id(), new StoredRecord(old.id(), document)), changed, bytes);
    }

    private IndexState reindexed(IndexState index, StoredRecord old, Document document) {
        List<List<@Nullable Object>> keys = index.keysOf(document);
        // Most updates leave most keys alone, byte for byte.
        if (keys.equals(index.keysOf(old.document()))) {
            return index;
        }
        return index.without(old.document(), old.id())
                .with(document, old.id(), namespace.toString(), other -> isDuplicate(document, other));
    }

    /** Whether a document and a record cannot have the same unique key: those on different shards can. */
    public boolean isDuplicate(Document document, long other) {
        ShardKey key = options.shardKey();
        StoredRecord record = key == null ? null : records.get(other);
        return key == null || record == null || key.isSame(document, record.document());
    }

    /** This collection without a record. */
    public CollectionState deleted(StoredRecord old) {
        List<IndexState> changed = new ArrayList<>(indexes.size());
        for (IndexState index : indexes) {
            changed.add(index.without(old.document(), old.id()));
        }
        long freed = options.capped() == null ? 0 : BsonSize.of(old.document());
        return with(records.without(old.id()), changed, bytes - freed);
    }

    private CollectionState with(SortedTree<Long, StoredRecord> changed, List<IndexState> reindexed, long size) {
        return new CollectionState(namespace, uuid, options, visibleFrom, changed, reindexed, size);
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
        return new CollectionState(namespace, uuid, options, timestamp, records, List.copyOf(indexes), bytes);
    }

    /** This collection under another name. */
    public CollectionState renamed(Namespace target, long timestamp) {
        return new CollectionState(target, uuid, options, timestamp, records, indexes, bytes);
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
