package org.mongolocks.embedded;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.mongolocks.embedded.internal.session.Session;
import org.mongolocks.embedded.internal.session.SessionRecord;
import org.mongolocks.embedded.internal.session.Transaction;
import org.mongolocks.embedded.internal.state.ServerMemory;
import org.mongolocks.embedded.internal.storage.Catalog;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.CollectionState.StoredRecord;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.work.Store;

/** The state of a {@link MongoEngine} at some moment. It shares its documents with the engine and costs next to nothing. */
public final class EngineSnapshot {
    private static final UUID FIRST = new UUID(Long.MIN_VALUE, Long.MIN_VALUE);

    private final Store.Snapshot stored;
    private final ServerMemory memory;

    EngineSnapshot(Store.Snapshot stored, ServerMemory memory) {
        this.stored = stored;
        this.memory = memory;
    }

    Store.Snapshot stored() {
        return stored;
    }

    ServerMemory memory() {
        return memory;
    }

    /**
     * Describes the state, so that states can be compared: two snapshots with the same text answer all commands alike, but for logical
     * times, the order in which an unsorted read returns documents, and commands that name a cursor. It is not meant to be read.
     *
     * @return all documents, the records of sessions, and the open transactions with what they see
     */
    public String contents() {
        StringBuilder text = new StringBuilder();
        append(text, stored.catalog());
        stored.sessions().from(FIRST).forEachRemaining(session -> append(text, session.getKey(), session.getValue()));
        List<Session> sessions = new ArrayList<>(memory.sessions());
        sessions.sort(Comparator.comparing(Session::id));
        for (Session session : sessions) {
            text.append('\n').append(session.id()).append(session.txnNumber()).append(session.state());
            Transaction transaction = session.transaction();
            if (transaction != null) {
                text.append(transaction.expiresAt());
                append(text, transaction.snapshot());
                append(text, transaction.view());
            }
        }
        return text.toString();
    }

    /**
     * Finds a committed document.
     *
     * @param database the name of the database
     * @param collection the name of the collection in it
     * @param id its {@code _id}
     * @return the document, which must not be changed, or nothing if there is none
     */
    public Optional<Document> document(String database, String collection, Object id) {
        CollectionState found = stored.catalog().get(new Namespace(database, collection));
        StoredRecord record = found == null ? null : found.byId(id);
        return Optional.ofNullable(record).map(StoredRecord::document);
    }

    private static void append(StringBuilder text, UUID session, SessionRecord record) {
        text.append('\n').append(session).append(record.txnNumber()).append(record.isCommittedTransaction());
        record.statements().values().forEach(text::append);
    }

    private static void append(StringBuilder text, Catalog catalog) {
        for (CollectionState collection : catalog.collections()) {
            text.append('\n').append(collection.namespace());
            collection.records().values().forEach(record -> text.append(record.document()));
        }
    }
}
