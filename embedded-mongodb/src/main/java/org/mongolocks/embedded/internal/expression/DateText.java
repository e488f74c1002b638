package org.mongolocks.embedded.internal.expression;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** Dates from texts as ISO 8601 writes them; a text without an offset is in a time zone that is given beside it. */
final class DateText {
    static final Map<String, Operator> ALL = Map.of("$dateFromString", DateText::fromString);

    private static final Pattern FORM = Pattern.compile("(\\d{4}-\\d{2}-\\d{2})"
            + "(?:[T ](\\d{2}:\\d{2}(?::\\d{2}(?:[.]\\d{1,9})?)?)(Z|[+-]\\d{2}(?::?\\d{2})?)?)?");

    private DateText() {}

    /** The date that a text means. */
    static Instant parse(String text, ZoneId zone) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw unreadable(text);
        }
        String offset = parts.group(3);
        if (offset != null && !zone.normalized().equals(ZoneOffset.UTC)) {
            throw failure("you cannot pass in a date/time string with time zone information ('" + offset
                    + "') together with a timezone argument");
        }
        try {
            LocalDateTime local =
                    LocalDateTime.parse(parts.group(1) + 'T' + (parts.group(2) == null ? "00:00" : parts.group(2)));
            return Instant.ofEpochMilli(local.atZone(offset == null ? zone : ZoneOffset.of(offset))
                    .toInstant()
                    .toEpochMilli());
        } catch (DateTimeException e) {
            throw unreadable(text);
        }
    }

    private static Expression fromString(String name, @Nullable Object arguments, ExpressionParser parser) {
        NamedArguments named = NamedArguments.of(name, arguments, 40540, 40541);
        named.allow(Set.of("dateString", "timezone", "format", "onNull", "onError"));
        if (named.has("format")) {
            throw new CommandError(
                    ErrorCode.NOT_IMPLEMENTED, "The format of " + name + " is not supported by the embedded server");
        }
        return new FromString(
                parser.parse(named.required("dateString", 40542)),
                parser.parse(named.has("timezone") ? named.optional("timezone") : "UTC"),
                parser.parse(named.has("onNull") ? named.optional("onNull") : null),
                named.has("onError") ? parser.parse(named.optional("onError")) : null);
    }

    /** The operator with its arguments. */
    private record FromString(
            Expression text,
            Expression zone,
            Expression onNull,
            @Nullable Expression onError) implements Expression {
        @Override
        public @Nullable Object evaluate(Scope scope) {
            Object zoneName = zone.evaluate(scope);
            ZoneId zoneId = Absence.isNullish(zoneName) ? null : DateOperators.zone("$dateFromString", zoneName);
            Object value = text.evaluate(scope);
            if (Absence.isNullish(value)) {
                return onNull.evaluate(scope);
            }
            return zoneId == null ? null : parsed(value, zoneId, scope);
        }

        private @Nullable Object parsed(@Nullable Object value, ZoneId zoneId, Scope scope) {
            try {
                if (value instanceof String string) {
                    return parse(string, zoneId);
                }
                throw failure(
                        "$dateFromString requires that 'dateString' be a string, found: " + Arguments.type(value));
            } catch (CommandError error) {
                if (onError == null) {
                    throw error;
                }
                return onError.evaluate(scope);
            }
        }
    }

    private static CommandError unreadable(String text) {
        return failure("Error parsing date string '" + text + "'");
    }

    private static CommandError failure(String message) {
        return new CommandError(ErrorCode.CONVERSION_FAILURE, message);
    }
}
