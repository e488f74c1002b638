package org.mongolocks.study.process.message;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A line that parent and child exchange: a keyword, and fields separated by tabs.
 *
 * @param word the keyword
 * @param fields the fields
 */
public record ProtocolLine(String word, List<String> fields) {
    private static final String TAB = "\t";
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    public ProtocolLine {
        fields = List.copyOf(fields);
    }

    /** Creates a line; characters that a field cannot contain become spaces. */
    static ProtocolLine of(Object word, Object... fields) {
        return new ProtocolLine(
                word.toString(),
                Stream.of(fields)
                        .map(field -> CONTROL.matcher(field.toString()).replaceAll(" "))
                        .toList());
    }

    static ProtocolLine parse(String text) {
        List<String> parts = new ArrayList<>(List.of(text.split(TAB, -1)));
        String word = parts.remove(0);
        return new ProtocolLine(word, parts);
    }

    public String text() {
        return Stream.concat(Stream.of(word), fields.stream()).collect(Collectors.joining(TAB));
    }

    /** Checks the number of fields. */
    ProtocolLine requireFields(int count) {
        if (fields.size() != count) {
            throw new IllegalArgumentException(
                    word + " must have " + count + " fields, had " + fields.size() + ": '" + text() + "'");
        }
        return this;
    }

    String field(int index) {
        return fields.get(index);
    }

    long number(int index) {
        try {
            return Long.parseLong(fields.get(index));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "Field " + (index + 1) + " of " + word + " must be a whole number, was '" + fields.get(index) + "'",
                    e);
        }
    }

    int smallNumber(int index) {
        long number = number(index);
        if (number < 0 || number > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("Field " + (index + 1) + " of " + word + " must be from 0 to "
                    + Integer.MAX_VALUE + ", was " + number);
        }
        return (int) number;
    }

    <E extends Enum<E>> E constant(int index, Class<E> kind) {
        try {
            return Enum.valueOf(kind, fields.get(index));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "Field " + (index + 1) + " of " + word + " must be one of " + List.of(kind.getEnumConstants())
                            + ", was '" + fields.get(index) + "'",
                    e);
        }
    }
}
