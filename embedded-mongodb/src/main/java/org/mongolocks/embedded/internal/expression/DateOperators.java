package org.mongolocks.embedded.internal.expression;

import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.bson.ObjectId;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.error.CommandError;

/** Parts and texts of dates; most are computed by the library, always with an explicit time zone. */
final class DateOperators {
    static final Map<String, Operator> ALL = Map.ofEntries(
            Map.entry("$year", libraryPart()),
            Map.entry("$month", libraryPart()),
            Map.entry("$dayOfMonth", libraryPart()),
            Map.entry("$dayOfYear", libraryPart()),
            Map.entry("$hour", libraryPart()),
            Map.entry("$minute", libraryPart()),
            Map.entry("$second", libraryPart()),
            Map.entry("$millisecond", part((name, date) -> date.get(ChronoField.MILLI_OF_SECOND))),
            Map.entry("$dayOfWeek", part((name, date) -> date.getDayOfWeek().getValue() % 7 + 1)),
            Map.entry(
                    "$week",
                    part((name, date) ->
                            (date.getDayOfYear() + 6 - date.getDayOfWeek().getValue() % 7) / 7)),
            Map.entry("$isoDayOfWeek", part((name, date) -> date.getDayOfWeek().getValue())),
            Map.entry("$isoWeek", part((name, date) -> date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR))),
            Map.entry("$isoWeekYear", part((name, date) -> (long) date.get(IsoFields.WEEK_BASED_YEAR))),
            Map.entry("$dateToString", DateOperators::dateToString));

    private static final String UTC = "UTC";

    private DateOperators() {}

    /** A number that belongs to a date. */
    @FunctionalInterface
    private interface Part {
        @Nullable
        Object of(String operator, ZonedDateTime date);
    }

    private static Operator libraryPart() {
        return part((name, date) -> LibraryOperators.call(
                name,
                new Document("date", LibraryOperators.literal(date.toInstant()))
                        .append(
                                "timezone",
                                LibraryOperators.literal(date.getZone().getId()))));
    }

    private static Operator part(Part part) {
        return (name, arguments, parser) -> {
            Document named = named(name, arguments);
            Expression date = parser.parse(named.get("date"));
            Expression zone = parser.parse(named.getOrDefault("timezone", UTC));
            return scope -> {
                Object value = date.evaluate(scope);
                Object zoneName = zone.evaluate(scope);
                boolean isNull = Absence.isNullish(value) || Absence.isNullish(zoneName);
                return isNull ? null : part.of(name, instant(value).atZone(zone(name, zoneName)));
            };
        };
    }

    private static Document named(String name, @Nullable Object arguments) {
        List<?> listed = Operator.listOf(arguments);
        if (listed.size() != 1) {
            throw new CommandError(40536, name + " accepts exactly one argument if given an array");
        }
        Object argument = listed.get(0);
        if (!(argument instanceof Document document) || ExpressionParser.isOperator(document)) {
            return new Document("date", argument);
        }
        NamedArguments checked = new NamedArguments(name, document, 40535);
        checked.allow(Set.of("date", "timezone"));
        checked.required("date", 40539);
        return document;
    }

    static ZoneId zone(String operator, @Nullable Object name) {
        if (!(name instanceof String string)) {
            throw new CommandError(40533, operator + " requires a string for the timezone argument");
        }
        try {
            return ZoneId.of(string);
        } catch (DateTimeException e) {
            throw new CommandError(40485, operator + " unrecognized time zone identifier: \"" + name + '"');
        }
    }

    /** A date, or what counts as one. */
    static Instant instant(@Nullable Object value) {
        if (value instanceof Instant instant) {
            return instant;
        }
        if (value instanceof ObjectId objectId) {
            return Instant.ofEpochSecond(Integer.toUnsignedLong(
                    ByteBuffer.wrap(objectId.toByteArray()).getInt()));
        }
        if (value instanceof BsonTimestamp bsonTimestamp) {
            return Instant.ofEpochSecond(Integer.toUnsignedLong(bsonTimestamp.getTime()));
        }
        throw new CommandError(16006, "can't convert from BSON type " + Arguments.type(value) + " to Date");
    }

    private static Expression dateToString(String name, @Nullable Object arguments, ExpressionParser parser) {
        NamedArguments named = NamedArguments.of(name, arguments, 18629, 18534);
        named.allow(Set.of("date", "format", "timezone", "onNull"));
        Expression date = parser.parse(named.required("date", 18628));
        Expression format = parser.parse(named.optional("format"));
        Expression zone = parser.parse(named.has("timezone") ? named.optional("timezone") : UTC);
        Expression onNull = parser.parse(named.has("onNull") ? named.optional("onNull") : null);
        return scope -> {
            Object value = date.evaluate(scope);
            if (Absence.isNullish(value)) {
                return onNull.evaluate(scope);
            }
            Object zoneName = zone.evaluate(scope);
            return Absence.isNullish(zoneName)
                    ? null
                    : formatted(name, instant(value), zone(name, zoneName), format.evaluate(scope));
        };
    }

    private static @Nullable Object formatted(String name, Instant date, ZoneId zone, @Nullable Object format) {
        if (format == null) {
            return null;
        }
        if (!(format instanceof String) && !Absence.isMissing(format)) {
            throw new CommandError(18533, "$dateToString requires that 'format' be a string");
        }
        String standard = zone.getId().equals(UTC) ? "%Y-%m-%dT%H:%M:%S.%LZ" : "%Y-%m-%dT%H:%M:%S.%L";
        return LibraryOperators.call(
                name,
                new Document("date", LibraryOperators.literal(date))
                        .append("timezone", LibraryOperators.literal(zone.getId()))
                        .append("format", Absence.isMissing(format) ? standard : format));
    }
}
