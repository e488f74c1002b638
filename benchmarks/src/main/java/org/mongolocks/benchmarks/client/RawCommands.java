package org.mongolocks.benchmarks.client;

/**
 * Raw commands of either driver, on documents that no other client uses. Blocks the calling thread until the server
 * replies.
 */
public interface RawCommands {
    /** Sends a {@code ping}. */
    void ping();

    /** Inserts a document and deletes it. */
    void insertAndDelete();

    /** Sets an owner and increments the fencing token, with one {@code findAndModify}. */
    void take();

    /** Reads the document and then does the same as {@link #take}. */
    void lookAndTake();

    /** Removes the owner, with one {@code findAndModify}. */
    void giveBack();

    /** Inserts a document in a transaction, and deletes it with a single command after the commit. */
    void insertInTransactionAndDelete();
}
