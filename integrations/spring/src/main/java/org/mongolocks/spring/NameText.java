package org.mongolocks.spring;

import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.time.ZoneId;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The texts of the values in names of locks. Equal values have one text in every JVM, whatever its version, locale and
 * time zone: texts, numbers, booleans, enums, UUIDs, dates and times, {@code ObjectId}s, and the lists, arrays, sets
 * and maps in natural order, and records of them, without null. All else has none and is refused.
 */
final class NameText {
    /** Types whose {@code toString} is the text. */
    private static final Set<Class<?>> OWN_TEXT = Set.of(
            String.class,
            Character.class,
            Boolean.class,
            Byte.class,
            Short.class,
            Integer.class,
            Long.class,
            BigInteger.class,
            UUID.class);

    private static final String ELEMENT = "an element of ";
    /** A number with more trailing zeros has an exponent. */
    private static final int MAX_ZEROS = 30;

    private static final ClassValue<RecordComponent[]> COMPONENTS = new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
            RecordComponent[] components = type.getRecordComponents();
            Arrays.stream(components).forEach(component -> ReflectionUtils.makeAccessible(component.getAccessor()));
            return components;
        }
    };

    private NameText() {}

    /** The refusal of a part of an expression. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Refused(String message) {
            super(message);
        }
    }

    /**
     * Returns the text of a value.
     *
     * @param part the part of the expression that has the value, for messages
     * @throws Refused if it has none
     */
    static String of(@Nullable Object value, String part) {
        return text(value, "", part);
    }

    private static String text(@Nullable Object read, String inside, String part) {
        Object value = ObjectUtils.unwrapOptional(read);
        if (value == null) {
            throw new Refused(inside + part + " is null" + (inside.isEmpty() ? ": write " + part + " ?: 'none'" : ""));
        }
        if (OWN_TEXT.contains(value.getClass()) || isTime(value) || isObjectId(value)) {
            return value.toString();
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof BigDecimal || value instanceof Double || value instanceof Float) {
            return number((Number) value, part);
        }
        if (value.getClass() == Date.class) {
            return ((Date) value).toInstant().toString();
        }
        return several(value, inside, part);
    }

    /** Returns whether a value is a date, a time or a span of it of the JDK, whose text is that of ISO 8601. */
    static boolean isTime(Object value) {
        return value.getClass().getPackageName().equals("java.time")
                && (value instanceof TemporalAccessor || value instanceof TemporalAmount || value instanceof ZoneId);
    }

    private static boolean isObjectId(Object value) {
        return value.getClass().getName().equals("org.bson.types.ObjectId");
    }

    /** Returns one text for equal amounts; that of {@code Double.toString} has other digits before JDK 19. */
    private static String number(Number number, String part) {
        BigDecimal exact = number instanceof BigDecimal decimal ? decimal : shortest(number, part);
        BigDecimal plain = exact.stripTrailingZeros();
        return (plain.scale() < 0 && plain.scale() >= -MAX_ZEROS ? plain.setScale(0) : plain).toString();
    }

    private static BigDecimal shortest(Number number, String part) {
        if (!Double.isFinite(number.doubleValue())) {
            throw new Refused(part + " is not a finite number");
        }
        BigDecimal exact = new BigDecimal(number.doubleValue());
        return IntStream.iterate(1, digits -> digits + 1)
                .mapToObj(digits -> exact.round(new MathContext(digits)))
                .filter(rounded -> number instanceof Float
                        ? rounded.floatValue() == number.floatValue()
                        : rounded.doubleValue() == number.doubleValue())
                .findFirst()
                .orElseThrow();
    }

    private static String several(Object value, String inside, String part) {
        Optional<Collection<?>> ordered = ordered(value);
        if (ordered.isPresent()) {
            return ordered.get().stream()
                    .map(element -> text(element, ELEMENT, part))
                    .collect(Collectors.joining(", ", "[", "]"));
        }
        if ((value instanceof SortedMap<?, ?> map && isNatural(map.comparator())) || value instanceof EnumMap) {
            return ((Map<?, ?>) value)
                    .entrySet().stream()
                            .map(entry -> text(entry.getKey(), "a key of ", part) + "="
                                    + text(entry.getValue(), "a value of ", part))
                            .collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof Record) {
            return Stream.of(COMPONENTS.get(value.getClass()))
                    .map(component -> component.getName() + "="
                            + text(ReflectionUtils.invokeMethod(component.getAccessor(), value), "a part of ", part))
                    .collect(Collectors.joining(", ", value.getClass().getSimpleName() + "[", "]"));
        }
        throw refusal(value, inside, part);
    }

    /** Returns the elements of an array, or of a collection whose type promises their order. */
    static Optional<Collection<?>> ordered(Object value) {
        if (value.getClass().isArray()) {
            return Optional.of(Arrays.asList(ObjectUtils.toObjectArray(value)));
        }
        return value instanceof List
                        || (value instanceof SortedSet<?> set && isNatural(set.comparator()))
                        || value instanceof EnumSet
                ? Optional.of((Collection<?>) value)
                : Optional.empty();
    }

    /** Returns whether a comparator is known to be the same in each process. */
    private static boolean isNatural(@Nullable Comparator<?> comparator) {
        return comparator == null
                || comparator == Comparator.naturalOrder()
                || comparator == Collections.reverseOrder()
                || comparator == String.CASE_INSENSITIVE_ORDER;
    }

    /** Says what is wrong with a value, and what to write instead. */
    static Refused refusal(Object value, String inside, String part) {
        String what = inside + part + " is of " + value.getClass() + ", ";
        return new Refused(
                value instanceof Collection || value instanceof Map
                        ? what + "whose order is not the same in each process: pass a List in a defined order, or a"
                                + (value instanceof Map ? " TreeMap" : " TreeSet") + " in natural order"
                        : what + "which is no text, number, date or other value of a name: write " + part
                                + (inside.equals(ELEMENT) ? ".![id]" : ".id") + ", or another property");
    }
}
