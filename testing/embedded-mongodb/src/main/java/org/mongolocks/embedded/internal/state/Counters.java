package org.mongolocks.embedded.internal.state;

import de.bwaldvogel.mongo.bson.Document;
import org.mongolocks.embedded.internal.expression.Scope.EvaluationCounter;
import org.mongolocks.embedded.internal.query.FilterParser;

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
    private long plannedQueries;
    private final EvaluationCounter evaluations = new EvaluationCounter();

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

    /**
     * Counts the query of a find, an update or a delete, if it has to be planned: MongoDB looks a query that is just a value of
     * {@code _id} up without a plan.
     */
    public void plan(Document query) {
        plannedQueries += FilterParser.isById(query) ? 0 : 1;
    }

    /** The counter of evaluated expressions. */
    public EvaluationCounter evaluations() {
        return evaluations;
    }

    /** How much had to be planned and evaluated. MongoDB has no such counters. */
    public Document work() {
        return new Document("plannedQueries", plannedQueries).append("evaluatedExpressions", evaluations.count());
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
