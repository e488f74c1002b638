package org.mongolocks.embedded.internal.state;

import de.bwaldvogel.mongo.bson.Document;
import org.mongolocks.embedded.internal.expression.Scope.EvaluationCounter;
import org.mongolocks.embedded.internal.query.FilterParser;

/** How often what has happened on the server. */
public final class Counters {
    private final EvaluationCounter evaluations = new EvaluationCounter();
    private long plannedQueries;
    private int connections;

    public void connect() {
        connections++;
    }

    public void disconnect() {
        connections--;
    }

    /** How many connections are open. */
    public int connections() {
        return connections;
    }

    public long plannedQueries() {
        return plannedQueries;
    }

    /**
     * Counts the query of a find, an update or a delete, if it has to be planned: MongoDB looks a query that is just a value of
     * {@code _id} up without a plan.
     */
    public void plan(Document query) {
        if (!FilterParser.isById(query)) {
            plannedQueries++;
        }
    }

    /** The counter of evaluated expressions. */
    public EvaluationCounter evaluations() {
        return evaluations;
    }
}
