package org.mongolocks.embedded.internal.expression;

/** How many operators of aggregation expressions were evaluated; literals and field paths do not count. */
public final class EvaluationCounter {
    private long count;

    void add() {
        count++;
    }

    public long count() {
        return count;
    }
}
