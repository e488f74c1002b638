package org.mongolocks.embedded.internal.expression;

import de.bwaldvogel.mongo.bson.Document;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.bson.WholeNumber;
import org.mongolocks.embedded.internal.error.CommandError;

/** Dates from their parts, and the parts of dates. */
final class DateParts {
    static final Map<String, Operator> ALL =
            Map.of("$dateFromParts", DateParts::fromParts, "$dateToParts", DateParts::toParts);

    private static final int DURATION_OVERFLOW = 159;
    private static final List<String> NATURAL = List.of("year", "month", "day");
    private static final List<String> ISO = List.of("isoWeekYear", "isoWeek", "isoDayOfWeek");
    private static final List<String> TIME = List.of("hour", "minute", "second", "millisecond");
    private static final Set<String> UNBOUNDED = Set.of("year", "isoWeekYear", "second", "millisecond");
    private static final String ZONE = "timezone";
    private static final String UTC = "UTC";

    private DateParts() {}

    private static Expression fromParts(String name, @Nullable Object arguments, ExpressionParser parser) {
        NamedArguments named = NamedArguments.of(name, arguments, 40519, 40518);
        named.allow(Stream.of(NATURAL, ISO, TIME, List.of(ZONE))
                .flatMap(List::stream)
                .collect(Collectors.toSet()));
        checkMixture(named);
        Map<String, Expression> parts = parse(named, parser);
        Expression zone = parser.parse(named.has(ZONE) ? named.optional(ZONE) : UTC);
        return scope -> {
            Map<String, Long> values = evaluate(parts, scope);
            Object zoneName = zone.evaluate(scope);
            return values == null || Absence.isNullish(zoneName)
                    ? null
                    : local(values).atZone(DateOperators.zone(name, zoneName)).toInstant();
        };
    }

    private static Map<String, Expression> parse(NamedArguments named, ExpressionParser parser) {
        Map<String, Expression> parts = new HashMap<>();
        Stream.of(NATURAL, ISO, TIME)
                .flatMap(List::stream)
                .filter(named::has)
                .forEach(part -> parts.put(part, parser.parse(named.optional(part))));
        return parts;
    }

    private static void checkMixture(NamedArguments named) {
        if (!named.has("year") && !named.has("isoWeekYear")) {
            throw new CommandError(40516, "$dateFromParts requires either 'year' or 'isoWeekYear' to be present");
        }
        if (named.has("year") && ISO.stream().anyMatch(named::has)) {
            throw new CommandError(40489, "$dateFromParts does not allow mixing natural dates with ISO dates");
        }
        if (named.has("isoWeekYear") && NATURAL.stream().anyMatch(named::has)) {
            throw new CommandError(40525, "$dateFromParts does not allow mixing ISO dates with natural dates");
        }
    }

    // Null if any of them is.
    private static @Nullable Map<String, Long> evaluate(Map<String, Expression> parts, Scope scope) {
        Map<String, Long> values = new HashMap<>();
        for (Entry<String, Expression> part : parts.entrySet()) {
            Object value = part.getValue().evaluate(scope);
            if (Absence.isNullish(value)) {
                return null;
            }
            values.put(part.getKey(), checked(part.getKey(), value));
        }
        return values;
    }

    private static long checked(String part, @Nullable Object value) {
        if (!(value instanceof Number number) || number.doubleValue() != WholeNumber.of(number)) {
            throw new CommandError(40515, "'" + part + "' must evaluate to an integer, found " + Arguments.type(value));
        }
        long whole = WholeNumber.of(number);
        if (!UNBOUNDED.contains(part) && whole != (short) whole) {
            throw new CommandError(
                    31034,
                    "'" + part + "' must evaluate to a value in the range [-32768, 32767]; value " + whole
                            + " is not in range");
        }
        return whole;
    }

    private static LocalDateTime local(Map<String, Long> values) {
        LocalDate day = values.containsKey("year") ? natural(values) : iso(values);
        try {
            return day.atStartOfDay()
                    .plusHours(values.getOrDefault("hour", 0L))
                    .plusMinutes(values.getOrDefault("minute", 0L))
                    .plusSeconds(values.getOrDefault("second", 0L))
                    .plus(values.getOrDefault("millisecond", 0L), ChronoField.MILLI_OF_SECOND.getBaseUnit());
        } catch (DateTimeException | ArithmeticException e) {
            throw new CommandError(DURATION_OVERFLOW, "the date is out of range");
        }
    }

    private static LocalDate natural(Map<String, Long> values) {
        return LocalDate.of(year(values, "year", 40523), 1, 1)
                .plusMonths(values.getOrDefault("month", 1L) - 1)
                .plusDays(values.getOrDefault("day", 1L) - 1);
    }

    // The fourth of January is in the first week.
    private static LocalDate iso(Map<String, Long> values) {
        return LocalDate.of(year(values, "isoWeekYear", 31095), 1, 4)
                .with(ChronoField.DAY_OF_WEEK, 1)
                .plusWeeks(values.getOrDefault("isoWeek", 1L) - 1)
                .plusDays(values.getOrDefault("isoDayOfWeek", 1L) - 1);
    }

    private static int year(Map<String, Long> values, String part, int code) {
        long year = values.getOrDefault(part, 0L);
        if (year < 1 || year > 9999) {
            throw new CommandError(
                    code, "'" + part + "' must evaluate to an integer in the range 1 to 9999, found " + year);
        }
        return (int) year;
    }

    private static Expression toParts(String name, @Nullable Object arguments, ExpressionParser parser) {
        NamedArguments named = NamedArguments.of(name, arguments, 40524, 40520);
        named.allow(Set.of("date", ZONE, "iso8601"));
        Expression date = parser.parse(named.required("date", 40522));
        Expression zone = parser.parse(named.has(ZONE) ? named.optional(ZONE) : UTC);
        Expression iso = parser.parse(named.has("iso8601") ? named.optional("iso8601") : false);
        return scope -> {
            Object value = date.evaluate(scope);
            Object zoneName = zone.evaluate(scope);
            Object isIso = iso.evaluate(scope);
            if (Absence.isNullish(value) || Absence.isNullish(zoneName) || Absence.isNullish(isIso)) {
                return null;
            }
            if (!(isIso instanceof Boolean byWeek)) {
                throw new CommandError(40521, "iso8601 must evaluate to a bool, found " + Arguments.type(isIso));
            }
            Instant instant = DateOperators.instant(value);
            return parts(instant.atZone(DateOperators.zone(name, zoneName)), byWeek);
        };
    }

    private static Document parts(ZonedDateTime date, boolean byWeek) {
        Document parts = byWeek
                ? new Document("isoWeekYear", date.get(IsoFields.WEEK_BASED_YEAR))
                        .append("isoWeek", date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR))
                        .append("isoDayOfWeek", date.getDayOfWeek().getValue())
                : new Document("year", date.getYear())
                        .append("month", date.getMonthValue())
                        .append("day", date.getDayOfMonth());
        return parts.append("hour", date.getHour())
                .append("minute", date.getMinute())
                .append("second", date.getSecond())
                .append("millisecond", date.get(ChronoField.MILLI_OF_SECOND));
    }
}
