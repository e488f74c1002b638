package org.mongolocks.embedded.internal.projection;

import de.bwaldvogel.mongo.bson.Document;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.expression.Expression;
import org.mongolocks.embedded.internal.expression.Scope;

/** A parsed projection, or one level of it: fields that it names, levels below, and fields that it computes. */
public final class Projection {
    /** The treatment of the named fields, and of the others. */
    enum Mode {
        INCLUDE,
        EXCLUDE,
        ADD
    }

    private final Mode mode;
    private final Set<String> named = new HashSet<>();
    private final Map<String, Projection> children = new LinkedHashMap<>();
    // Computed fields and levels with computed fields, in the order in which they were asked for.
    private final Map<String, @Nullable Expression> additions = new LinkedHashMap<>();

    Projection(Mode mode) {
        this.mode = mode;
    }

    void name(String field) {
        named.add(field);
    }

    void compute(String field, Expression expression) {
        additions.put(field, expression);
    }

    Projection child(String field, boolean hasComputed) {
        if (hasComputed) {
            additions.putIfAbsent(field, null);
        }
        return children.computeIfAbsent(field, name -> new Projection(mode));
    }

    boolean isTaken(String field) {
        return named.contains(field) || additions.get(field) != null;
    }

    boolean hasChild(String field) {
        return children.containsKey(field);
    }

    /** The projected document; expressions see the document as it was. */
    public Document apply(Document document, Scope scope) {
        Document result = kept(document);
        if (!additions.isEmpty()) {
            compute(result, scope.on(document));
        }
        return result;
    }

    private Document kept(Document document) {
        if (mode == Mode.ADD) {
            return document.clone();
        }
        Document result = new Document();
        for (Entry<String, Object> field : document.entrySet()) {
            Object value = keptField(field.getKey(), field.getValue());
            if (!Values.isMissing(value)) {
                result.put(field.getKey(), value);
            }
        }
        return result;
    }

    private @Nullable Object keptField(String name, @Nullable Object value) {
        Projection child = children.get(name);
        if (child != null) {
            return child.keptValue(value);
        }
        return named.contains(name) == (mode == Mode.INCLUDE) ? value : Values.MISSING;
    }

    private @Nullable Object keptValue(@Nullable Object value) {
        if (value instanceof Document document) {
            return kept(document);
        }
        if (value instanceof List) {
            throw CommandError.unsupported("A projection of fields in an array");
        }
        return mode == Mode.INCLUDE ? Values.MISSING : value;
    }

    private void compute(Document result, Scope scope) {
        for (Entry<String, @Nullable Expression> addition : additions.entrySet()) {
            String name = addition.getKey();
            Expression expression = addition.getValue();
            Object value = expression != null
                    ? expression.evaluate(scope)
                    : child(name, true).computeIn(result.getOrMissing(name), scope);
            if (Values.isMissing(value)) {
                result.remove(name);
            } else {
                result.put(name, value);
            }
        }
    }

    // A scalar makes room for the document of computed fields.
    private Object computeIn(@Nullable Object value, Scope scope) {
        if (value instanceof List) {
            throw CommandError.unsupported("A projection of fields in an array");
        }
        Document result = value instanceof Document document ? document.clone() : new Document();
        compute(result, scope);
        return result;
    }
}
