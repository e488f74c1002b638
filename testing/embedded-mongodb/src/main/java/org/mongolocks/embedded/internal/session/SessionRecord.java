package org.mongolocks.embedded.internal.session;

import de.bwaldvogel.mongo.bson.Document;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.tree.SortedTree;

/**
 * The record of a session that survives a failover: its latest number and the statements executed under it; immutable.
 *
 * @param txnNumber the number
 * @param isCommittedTransaction whether it is that of a transaction, which is committed then
 * @param statements the statements of a retryable write that were executed, by their ids
 */
public record SessionRecord(
        long txnNumber, boolean isCommittedTransaction, SortedTree<Integer, StatementRecord> statements) {
    public static SessionRecord committed(long txnNumber) {
        return new SessionRecord(txnNumber, true, SortedTree.natural());
    }

    public static SessionRecord retryable(long txnNumber) {
        return new SessionRecord(txnNumber, false, SortedTree.natural());
    }

    /** This record with one more statement. */
    public SessionRecord with(int statement, StatementRecord record) {
        return new SessionRecord(txnNumber, isCommittedTransaction, statements.with(statement, record));
    }

    /**
     * The record of an executed statement, to answer a retry.
     *
     * @param kind the kind of write
     * @param upsertedId the {@code _id}, if an upsert inserted
     * @param before the document before, if it was asked for
     * @param after the document after, if it was asked for
     */
    public record StatementRecord(
            Kind kind,
            @Nullable Object upsertedId,
            @Nullable Document before,
            @Nullable Document after) {
        /** The kind of write of a statement. */
        public enum Kind {
            INSERT,
            UPDATE,
            DELETE
        }

        public static StatementRecord of(Kind kind) {
            return new StatementRecord(kind, null, null, null);
        }

        public static StatementRecord inserted(Document document) {
            return new StatementRecord(Kind.INSERT, document.get("_id"), null, document);
        }
    }
}
