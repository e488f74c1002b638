package org.mongolocks.embedded.internal.expression;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** {@code $convert}, its short forms, and the operators that name types. */
final class ConversionOperators {
    static final Map<String, Operator> ALL = Map.ofEntries(
            Map.entry("$toInt", to(BsonKind.INT)),
            Map.entry("$toLong", to(BsonKind.LONG)),
            Map.entry("$toDouble", to(BsonKind.DOUBLE)),
            Map.entry("$toDecimal", to(BsonKind.DECIMAL)),
            Map.entry("$toBool", to(BsonKind.BOOL)),
            Map.entry("$toString", to(BsonKind.STRING)),
            Map.entry("$toDate", to(BsonKind.DATE)),
            Map.entry("$toObjectId", to(BsonKind.OBJECT_ID)),
            Map.entry("$convert", ConversionOperators::convert),
            Map.entry("$type", Operator.fixed(1, arguments -> Arguments.type(arguments.get(0)))),
            Map.entry("$isNumber", Operator.fixed(1, arguments -> arguments.get(0) instanceof Number)));

    private ConversionOperators() {}

    private static Operator to(BsonKind kind) {
        return (name, arguments, parser) -> {
            List<?> listed = Operator.listOf(arguments);
            if (listed.size() != 1) {
                throw new CommandError(50723, name + " requires a single argument, got " + listed.size());
            }
            Expression input = parser.parse(listed.get(0));
            return scope -> {
                Object value = Absence.toNull(input.evaluate(scope));
                return value == null ? null : Conversion.to(kind, value);
            };
        };
    }

    private static Expression convert(String name, @Nullable Object arguments, ExpressionParser parser) {
        if (!(arguments instanceof Document document)) {
            throw failed("$convert expects an object of named arguments but found: " + Arguments.type(arguments));
        }
        NamedArguments named = new NamedArguments(name, document, ErrorCode.FAILED_TO_PARSE);
        named.allow(Set.of("input", "to", "onError", "onNull"));
        Expression input = parser.parse(named.required("input", ErrorCode.FAILED_TO_PARSE));
        Expression target = parser.parse(named.required("to", ErrorCode.FAILED_TO_PARSE));
        Expression onNull =
                named.has("onNull") ? parser.parse(named.optional("onNull")) : new Expression.Constant(null);
        Expression onError = named.has("onError") ? parser.parse(named.optional("onError")) : null;
        return scope -> {
            Object kind = target.evaluate(scope);
            Object value = Absence.toNull(input.evaluate(scope));
            if (value == null) {
                return onNull.evaluate(scope);
            }
            return Absence.isNullish(kind) ? null : convert(kind(kind), value, onError, scope);
        };
    }

    private static @Nullable Object convert(BsonKind kind, Object value, @Nullable Expression onError, Scope scope) {
        try {
            return Conversion.to(kind, value);
        } catch (CommandError e) {
            if (onError == null || e.code() != ErrorCode.CONVERSION_FAILURE) {
                throw e;
            }
            return onError.evaluate(scope);
        }
    }

    private static BsonKind kind(@Nullable Object target) {
        for (BsonKind kind : BsonKind.values()) {
            boolean isByName = kind.alias().equals(target);
            boolean isByCode = target instanceof Number number && number.doubleValue() == kind.code();
            if (kind != BsonKind.MISSING && (isByName || isByCode)) {
                return kind;
            }
        }
        if (target instanceof String) {
            throw new CommandError(ErrorCode.BAD_VALUE, "Unknown type name: " + target);
        }
        throw failed("$convert's 'to' argument must be a string or number, but is " + Arguments.type(target));
    }

    private static CommandError failed(String message) {
        return new CommandError(ErrorCode.FAILED_TO_PARSE, message);
    }
}
