package org.mongolocks.embedded.internal.state;

import de.bwaldvogel.mongo.bson.Document;

/** How many operations of each kind the server has done. */
public final class Counters {
    private long inserts;
    private long queries;
    private long updates;
    private long deletes;
    private long getMores;
    private long commands;
    private long connections;
    private int calls;
    private long ttlPasses;
    private long ttlDeletions;
    private long startedTransactions;
    private long committedTransactions;
    private long abortedTransactions;

    public void insert() {
        inserts++;
    }

    public void query() {
        queries++;
    }

    public void update() {
        updates++;
    }

    public void delete() {
        deletes++;
    }

    public void getMore() {
        getMores++;
    }

    public void command() {
        commands++;
    }

    public int nextCall() {
        return ++calls;
    }

    public void ttlPass() {
        ttlPasses++;
    }

    public void ttlDeletion() {
        ttlDeletions++;
    }

    /** Counters of the deletion of expired documents. */
    public Document ttl() {
        return new Document("deletedDocuments", ttlDeletions).append("passes", ttlPasses);
    }

    public void transactionStarted() {
        startedTransactions++;
    }

    public void transactionEnded(boolean isCommitted) {
        committedTransactions += isCommitted ? 1 : 0;
        abortedTransactions += isCommitted ? 0 : 1;
    }

    /** How many transactions there were. */
    public Document transactions() {
        return new Document("totalStarted", startedTransactions)
                .append("totalCommitted", committedTransactions)
                .append("totalAborted", abortedTransactions);
    }

    public void connection(int change) {
        connections += change;
    }

    /** How many connections are open. */
    public long connections() {
        return connections;
    }

    /** The counts as serverStatus shows them. */
    public Document document() {
        return new Document("insert", inserts)
                .append("query", queries)
                .append("update", updates)
                .append("delete", deletes)
                .append("getmore", getMores)
                .append("command", commands);
    }
}
