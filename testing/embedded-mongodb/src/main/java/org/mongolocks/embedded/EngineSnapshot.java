package org.mongolocks.embedded;

import org.mongolocks.embedded.internal.work.Store;

/** The stored data of a {@link MongoEngine} at some moment. It shares its documents with the engine and costs next to nothing. */
public final class EngineSnapshot {
    private final Store.Snapshot stored;

    EngineSnapshot(Store.Snapshot stored) {
        this.stored = stored;
    }

    Store.Snapshot stored() {
        return stored;
    }
}
