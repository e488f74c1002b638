package org.mongolocks.embedded.internal.expression;

import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;

/** The document and the variables that an expression sees. */
public final class Scope {
    private static final int NOT_AVAILABLE = 51144;
    private static final Document NO_DOCUMENT = new Document();

    private final @Nullable Instant now;
    private final @Nullable BsonTimestamp clusterTime;
    private final Document root;
    private final @Nullable Binding bindings;
    private final EvaluationCounter evaluations;

    private Scope(
            @Nullable Instant now,
            @Nullable BsonTimestamp clusterTime,
            EvaluationCounter evaluations,
            Document root,
            @Nullable Binding bindings) {
        this.evaluations = evaluations;
        this.now = now;
        this.clusterTime = clusterTime;
        this.root = root;
        this.bindings = bindings;
    }

    /**
     * A scope without a document yet.
     *
     * @param now the value of {@code $$NOW}, the same for a whole command
     * @param clusterTime the value of {@code $$CLUSTER_TIME}, null on a standalone server
     * @param evaluations counts what is evaluated
     */
    public static Scope at(Instant now, @Nullable BsonTimestamp clusterTime, EvaluationCounter evaluations) {
        return new Scope(now, clusterTime, evaluations, NO_DOCUMENT, null);
    }

    /** A scope without {@code $$NOW}, as the delete, count and distinct commands of MongoDB 4.4 have it. */
    public static Scope timeless() {
        return new Scope(null, null, new EvaluationCounter(), NO_DOCUMENT, null);
    }

    /** This scope with another document. */
    public Scope on(Document document) {
        return new Scope(now, clusterTime, evaluations, document, bindings);
    }

    /** This scope with one more variable. */
    public Scope with(String variable, @Nullable Object value) {
        return new Scope(now, clusterTime, evaluations, root, new Binding(variable, value, bindings));
    }

    public Document document() {
        return root;
    }

    void countEvaluation() {
        evaluations.count++;
    }

    @Nullable
    Object variable(String name) {
        for (Binding binding = bindings; binding != null; binding = binding.outer) {
            if (binding.name.equals(name)) {
                return binding.value;
            }
        }
        return switch (name) {
            case "ROOT", "CURRENT" -> root;
            case "REMOVE" -> Values.MISSING;
            case "NOW" -> available(now, name);
            case "CLUSTER_TIME" -> available(clusterTime, name);
            default -> throw undefined(name);
        };
    }

    static CommandError undefined(String name) {
        return new CommandError(17276, "Use of undefined variable: " + name);
    }

    private static Object available(@Nullable Object value, String name) {
        if (value == null) {
            throw new CommandError(NOT_AVAILABLE, "Builtin variable '$$" + name + "' is not available");
        }
        return value;
    }

    /** How many operators of aggregation expressions were evaluated; literals and field paths do not count. */
    public static final class EvaluationCounter {
        private long count;

        public long count() {
            return count;
        }
    }

    /** A variable bound by {@code $let}, {@code $map} and their like. */
    private record Binding(
            String name, @Nullable Object value, @Nullable Binding outer) {}
}
