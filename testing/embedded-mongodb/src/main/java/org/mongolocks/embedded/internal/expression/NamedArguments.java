package org.mongolocks.embedded.internal.expression;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;

/** The arguments of an operator that takes them by name. */
final class NamedArguments {
    private final String operator;
    private final Document arguments;
    private final int unknownCode;

    NamedArguments(String operator, Document arguments, int unknownCode) {
        this.operator = operator;
        this.arguments = arguments;
        this.unknownCode = unknownCode;
    }

    /** Arguments that must be an object. */
    static NamedArguments of(String operator, @Nullable Object arguments, int typeCode, int unknownCode) {
        if (!(arguments instanceof Document document)) {
            throw new CommandError(typeCode, operator + " only supports an object as its argument");
        }
        return new NamedArguments(operator, document, unknownCode);
    }

    static Document object(@Nullable Object value, int code) {
        if (!(value instanceof Document document)) {
            throw new CommandError(code, "invalid parameter: expected an object");
        }
        return document;
    }

    void allow(Set<String> names) {
        for (String name : arguments.keySet()) {
            if (!names.contains(name)) {
                throw new CommandError(unknownCode, "Unrecognized parameter to " + operator + ": " + name);
            }
        }
    }

    boolean has(String name) {
        return arguments.containsKey(name);
    }

    @Nullable
    Object required(String name, int code) {
        if (!arguments.containsKey(name)) {
            throw new CommandError(code, "Missing '" + name + "' parameter to " + operator);
        }
        return arguments.get(name);
    }

    /** The argument, or missing. */
    @Nullable
    Object optional(String name) {
        return arguments.getOrDefault(name, Values.MISSING);
    }

    static void checkVariable(String name) {
        if (!name.matches("[a-z][A-Za-z0-9_]*")) {
            throw new CommandError(16867, "'" + name + "' is no name for a user variable");
        }
    }
}
