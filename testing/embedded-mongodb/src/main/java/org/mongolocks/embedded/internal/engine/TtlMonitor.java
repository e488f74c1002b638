package org.mongolocks.embedded.internal.engine;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map.Entry;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.index.IndexState;
import org.mongolocks.embedded.internal.index.IndexState.IndexKey;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.CollectionState.StoredRecord;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.work.Workspace;
import org.mongolocks.embedded.internal.work.Workspace.Conflict;

/** Deletes the documents whose time is up, once every so many seconds. */
final class TtlMonitor {
    private static final Instant EARLIEST = Instant.ofEpochMilli(Long.MIN_VALUE);

    private final Server server;
    private long lastPass;

    TtlMonitor(Server server) {
        this.server = server;
        this.lastPass = server.now();
    }

    long nextPass() {
        return lastPass + server.parameters().ttlSleepMillis();
    }

    void runIfDue(long now) {
        long sleep = server.parameters().ttlSleepMillis();
        if (now < lastPass + sleep) {
            return;
        }
        // The passes keep their rhythm, and see the time at which they were due, however far the clock has jumped.
        lastPass += (now - lastPass) / sleep * sleep;
        if (server.topology().isPrimary()) {
            run();
        }
    }

    private void run() {
        for (CollectionState collection : server.store().catalog().collections()) {
            for (IndexState index : collection.indexes()) {
                Number seconds = index.spec().expireAfterSeconds();
                if (seconds != null) {
                    long millis = 1000 * Math.min(Numbers.whole(seconds), Integer.MAX_VALUE);
                    Instant latest = Instant.ofEpochMilli(lastPass - millis);
                    deleteExpired(collection.namespace(), expired(index, latest));
                }
            }
        }
    }

    private static List<Long> expired(IndexState index, Instant latest) {
        boolean isAscending = index.spec().isAscending();
        Iterator<Entry<IndexKey, Long>> entries = index.from(Arrays.asList(isAscending ? EARLIEST : latest));
        List<Long> records = new ArrayList<>();
        while (entries.hasNext()) {
            Entry<IndexKey, Long> entry = entries.next();
            Object value = entry.getKey().values().get(0);
            if (!(value instanceof Instant date) || date.isAfter(latest)) {
                break;
            }
            records.add(entry.getValue());
        }
        return records;
    }

    private void deleteExpired(Namespace namespace, List<Long> records) {
        Workspace workspace = server.direct();
        for (long id : records) {
            CollectionState collection = workspace.catalog().get(namespace);
            StoredRecord record = collection == null ? null : collection.record(id);
            if (collection != null && record != null) {
                delete(workspace, collection, record);
            }
        }
    }

    private void delete(Workspace workspace, CollectionState collection, StoredRecord record) {
        try {
            workspace.delete(collection, record);
        } catch (Conflict conflict) {
            return; // The next pass comes to the document.
        }
    }
}
