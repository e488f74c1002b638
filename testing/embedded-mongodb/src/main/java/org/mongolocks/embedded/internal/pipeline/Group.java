package org.mongolocks.embedded.internal.pipeline;

import de.bwaldvogel.mongo.bson.Document;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Arithmetic;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.expression.Expression;
import org.mongolocks.embedded.internal.expression.ExpressionParser;
import org.mongolocks.embedded.internal.expression.Scope;

/** {@code $group}; groups appear in the order of their first document. */
record Group(Expression id, Map<String, Accumulation> fields) implements Stage {
    private static final Set<String> UNSUPPORTED = Set.of("""
            $accumulator $addToSet $avg $first $last $max $mergeObjects $min $push $stdDevPop $stdDevSamp""".split("\\s+"));

    /** An expression over the documents of a group, and the accumulator of its values. */
    record Accumulation(Expression expression, Accumulator accumulator) {
        @Nullable
        Object over(List<Document> documents, Scope scope) {
            List<@Nullable Object> values = new ArrayList<>(documents.size());
            for (Document document : documents) {
                values.add(expression.evaluate(scope.on(document)));
            }
            return Values.toNull(accumulator.apply(values));
        }
    }

    /** An accumulator: makes one value of those of a group. */
    @FunctionalInterface
    interface Accumulator {
        @Nullable
        Object apply(List<@Nullable Object> values);
    }

    static Group parse(@Nullable Object argument) {
        if (!(argument instanceof Document specification)) {
            throw new CommandError(15947, "a group's fields must be specified in an object");
        }
        if (!specification.containsKey("_id")) {
            throw new CommandError(15955, "a group specification must include an _id");
        }
        ExpressionParser parser = new ExpressionParser();
        Map<String, Accumulation> fields = new LinkedHashMap<>();
        specification.forEach((name, value) -> {
            if (!name.equals("_id")) {
                fields.put(name, accumulation(name, value, parser));
            }
        });
        return new Group(parser.parse(specification.get("_id")), fields);
    }

    private static Accumulation accumulation(String name, @Nullable Object value, ExpressionParser parser) {
        if (!(value instanceof Document operator) || operator.size() != 1) {
            throw new CommandError(40234, "The field '" + name + "' must be an accumulator object");
        }
        String accumulator = operator.keySet().iterator().next();
        return new Accumulation(parser.parse(operator.get(accumulator)), accumulator(accumulator));
    }

    private static Accumulator accumulator(String name) {
        if (!name.equals("$sum")) {
            throw unknown(name);
        }
        return Group::sum;
    }

    private static CommandError unknown(String name) {
        return UNSUPPORTED.contains(name)
                ? CommandError.unsupported(name)
                : new CommandError(15952, "unknown group operator '" + name + "'");
    }

    private static Number sum(List<? extends @Nullable Object> values) {
        Number sum = 0;
        for (Object value : values) {
            if (value instanceof Number number) {
                sum = Arithmetic.ADD.widening(sum, number);
            }
        }
        return sum;
    }

    @Override
    public List<Document> run(List<Document> documents, Scope scope) {
        List<Document> results = new ArrayList<>();
        for (Map.Entry<@Nullable Object, List<Document>> group : groups(documents, scope)) {
            Document result = new Document("_id", group.getKey());
            fields.forEach((name, accumulation) -> result.put(name, accumulation.over(group.getValue(), scope)));
            results.add(result);
        }
        return results;
    }

    private List<Map.Entry<@Nullable Object, List<Document>>> groups(List<Document> documents, Scope scope) {
        Map<@Nullable Object, List<Document>> byId = new TreeMap<>(ValueOrder.COMPARATOR);
        List<Map.Entry<@Nullable Object, List<Document>>> inOrder = new ArrayList<>();
        for (Document document : documents) {
            Object key = Values.toNull(id.evaluate(scope.on(document)));
            List<Document> members = byId.get(key);
            if (members == null) {
                members = new ArrayList<>();
                byId.put(key, members);
                inOrder.add(new SimpleImmutableEntry<>(key, members));
            }
            members.add(document);
        }
        return inOrder;
    }
}
