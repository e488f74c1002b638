package org.mongolocks.embedded.internal.state;

import de.bwaldvogel.mongo.bson.Document;
import java.util.EnumMap;
import java.util.Map;
import org.mongolocks.embedded.internal.expression.Scope.EvaluationCounter;
import org.mongolocks.embedded.internal.query.FilterParser;

/** How often what has happened on the server. */
public final class Counters {
    private final Map<Counter, Long> counts = new EnumMap<>(Counter.class);
    private final EvaluationCounter evaluations = new EvaluationCounter();

    /** Something that is counted. */
    public enum Counter {
        PLANNED_QUERY,
        CONNECTION
    }

    /** Adds one. */
    public void count(Counter counter) {
        counts.merge(counter, 1L, Long::sum);
    }

    /** Notes that a connection is no longer open. */
    public void disconnect() {
        counts.merge(Counter.CONNECTION, -1L, Long::sum);
    }

    public long get(Counter counter) {
        return counts.getOrDefault(counter, 0L);
    }

    /**
     * Counts the query of a find, an update or a delete, if it has to be planned: MongoDB looks a query that is just a value of
     * {@code _id} up without a plan.
     */
    public void plan(Document query) {
        if (!FilterParser.isById(query)) {
            count(Counter.PLANNED_QUERY);
        }
    }

    /** The counter of evaluated expressions. */
    public EvaluationCounter evaluations() {
        return evaluations;
    }
}
