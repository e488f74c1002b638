package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.ShellText;

/** One operation of {@code $bit}. */
record BitOperation(Kind kind, Number operand) {
    /** What is done bit by bit. */
    enum Kind {
        AND,
        OR,
        XOR
    }

    static List<BitOperation> parse(String path, @Nullable Object argument) {
        if (!(argument instanceof Document operations)) {
            throw UpdateError.badValue("The $bit modifier is not compatible with a "
                    + BsonKind.of(argument).alias() + ". You must pass in an embedded document: "
                    + "{$bit: {field: {and/or/xor: #}}");
        }
        List<BitOperation> parsed = new ArrayList<>();
        for (Entry<String, Object> operation : operations.entrySet()) {
            parsed.add(new BitOperation(kind(operation.getKey()), operand(operation.getValue())));
        }
        if (parsed.isEmpty()) {
            throw UpdateError.badValue("You must pass in at least one bitwise operation. The format is: "
                    + "{$bit: {field: {and/or/xor: #}}: " + path);
        }
        return parsed;
    }

    private static Kind kind(String name) {
        return switch (name) {
            case "and" -> Kind.AND;
            case "or" -> Kind.OR;
            case "xor" -> Kind.XOR;
            default ->
                throw UpdateError.badValue("The $bit modifier only supports 'and', 'or', and 'xor', not '" + name
                        + "' which is an unknown operator");
        };
    }

    private static Number operand(@Nullable Object value) {
        if (value instanceof Number number && BsonKind.of(value).isIntegral()) {
            return number;
        }
        throw UpdateError.badValue("The $bit modifier field must be an Integer(32/64 bit); a '"
                + BsonKind.of(value).alias() + "' is not supported here: " + ShellText.of(value));
    }

    Number apply(Number value) {
        long result =
                switch (kind) {
                    case AND -> value.longValue() & operand.longValue();
                    case OR -> value.longValue() | operand.longValue();
                    case XOR -> value.longValue() ^ operand.longValue();
                };
        boolean isInt = value instanceof Integer && operand instanceof Integer;
        return isInt ? (Number) (int) result : (Number) result;
    }
}
