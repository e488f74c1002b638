package org.mongolocks.embedded.internal.storage;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map.Entry;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.tree.SortedTree;

/** All collections; immutable. */
public final class Catalog {
    private static final Catalog EMPTY = new Catalog(SortedTree.natural());

    private final SortedTree<Namespace, CollectionState> collections;

    private Catalog(SortedTree<Namespace, CollectionState> collections) {
        this.collections = collections;
    }

    public static Catalog empty() {
        return EMPTY;
    }

    public @Nullable CollectionState get(Namespace namespace) {
        return collections.get(namespace);
    }

    public Catalog with(CollectionState collection) {
        return new Catalog(collections.with(collection.namespace(), collection));
    }

    public Catalog without(Namespace namespace) {
        return new Catalog(collections.without(namespace));
    }

    /** All collections, in the order of their names. */
    public Iterable<CollectionState> collections() {
        return collections.values();
    }

    /** The collections of a database, in the order of their names. */
    public List<CollectionState> collectionsOf(String db) {
        List<CollectionState> found = new ArrayList<>();
        Iterator<Entry<Namespace, CollectionState>> entries = collections.from(new Namespace(db, ""));
        while (entries.hasNext()) {
            CollectionState collection = entries.next().getValue();
            if (!collection.namespace().db().equals(db)) {
                break;
            }
            found.add(collection);
        }
        return found;
    }

    /** The names of all databases that have a collection. */
    public SortedSet<String> databases() {
        TreeSet<String> names = new TreeSet<>();
        for (CollectionState collection : collections()) {
            names.add(collection.namespace().db());
        }
        return names;
    }
}
