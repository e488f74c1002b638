package org.mongolocks.embedded.internal.session;

import org.mongolocks.embedded.internal.tree.SortedTree;

/**
 * What is stored of a session, and survives a failover: its latest number and what was done under it; immutable.
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
}
