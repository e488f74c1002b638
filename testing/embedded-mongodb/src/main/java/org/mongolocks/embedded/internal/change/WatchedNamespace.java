package org.mongolocks.embedded.internal.change;

import java.util.Set;
import org.mongolocks.embedded.internal.oplog.Change;
import org.mongolocks.embedded.internal.storage.Namespace;

/**
 * The scope of a change stream: a collection, a database or all of them.
 *
 * @param namespace the collection, or any of the database
 */
record WatchedNamespace(Scope scope, Namespace namespace) {
    private static final Set<String> INTERNAL = Set.of("admin", "config", "local");

    /** How much is watched. */
    enum Scope {
        COLLECTION,
        DATABASE,
        CLUSTER
    }

    boolean includes(Change change) {
        return includes(change.namespace()) || (change instanceof Change.Renamed renamed && includes(renamed.target()));
    }

    private boolean includes(Namespace changed) {
        boolean isSystem = changed.collection().startsWith("system.");
        return switch (scope) {
            case COLLECTION -> changed.equals(namespace);
            case DATABASE -> changed.db().equals(namespace.db()) && !isSystem;
            case CLUSTER -> !INTERNAL.contains(changed.db()) && !isSystem;
        };
    }

    /** Whether the stream is over after this change. */
    boolean isEndedBy(Change change) {
        return switch (scope) {
            case COLLECTION -> change instanceof Change.Dropped || change instanceof Change.Renamed;
            case DATABASE -> change instanceof Change.DroppedDatabase;
            case CLUSTER -> false;
        };
    }

    /** Whether a change makes an event for such a stream. */
    boolean shows(Change change) {
        boolean isForWider = change instanceof Change.DroppedDatabase && scope == Scope.COLLECTION;
        return !(change instanceof Change.Other) && !isForWider && includes(change);
    }
}
