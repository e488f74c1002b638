package org.mongolocks.benchmarks.client;

/** Sends raw commands with either driver, on documents that nobody else uses. The calling thread waits for replies. */
public interface Raw {
    /** Asks the server whether it is there. */
    void ping();

    /** Inserts a document and deletes it. */
    void insertAndDelete();

    /** Writes an owner and counts up, with one {@code findAndModify}. */
    void take();

    /** Reads the document first, and does the same. */
    void lookAndTake();

    /** Removes the owner, with one {@code findAndModify}. */
    void giveBack();

    /** Inserts a document in a transaction, and deletes it with a single command afterwards. */
    void insertInTransactionAndDelete();
}
