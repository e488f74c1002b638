package org.mongolocks.study.process.message;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A record as a line of text: the name of its type, and its components, separated by tabs. The components of a record
 * within a record follow each other. A component is a record, a number, a constant of an enum, or a text.
 */
public final class RecordLine {
    private static final String TAB = "\t";
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    private RecordLine() {}

    /** Returns a record as a line; control characters in a text become spaces. */
    public static String of(Record message) {
        List<String> fields = new ArrayList<>(List.of(message.getClass().getSimpleName()));
        write(message, fields);
        return String.join(TAB, fields);
    }

    private static void write(Object value, List<String> fields) {
        if (!(value instanceof Record message)) {
            fields.add(CONTROL.matcher(value.toString()).replaceAll(" "));
            return;
        }
        for (RecordComponent component : message.getClass().getRecordComponents()) {
            write(call(() -> component.getAccessor().invoke(message)), fields);
        }
    }

    /**
     * Reads a line.
     *
     * @param kind a sealed type, whose records are the known messages
     * @throws IllegalArgumentException if the line is invalid; the message says why
     */
    public static <T> T read(Class<T> kind, String line) {
        Iterator<String> fields = List.of(line.split(TAB, -1)).iterator();
        String name = fields.next();
        Class<?> type = Stream.of(kind.getPermittedSubclasses())
                .filter(one -> one.getSimpleName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Unknown message '" + line + "'"));
        Object message = read(type, fields);
        if (fields.hasNext()) {
            throw new IllegalArgumentException("Too many fields: '" + line + "'");
        }
        return kind.cast(message);
    }

    private static Object read(Class<?> type, Iterator<String> fields) {
        if (type.isRecord()) {
            Object[] values = Stream.of(type.getRecordComponents())
                    .map(component -> read(component.getType(), fields))
                    .toArray();
            Class<?>[] types = Stream.of(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            return call(() -> type.getDeclaredConstructor(types).newInstance(values));
        }
        if (!fields.hasNext()) {
            throw new IllegalArgumentException("Too few fields");
        }
        String field = fields.next();
        if (type == int.class) {
            return Integer.valueOf(field);
        }
        if (type == long.class) {
            return Long.valueOf(field);
        }
        return type.isEnum() ? constant(type, field) : field;
    }

    private static Object constant(Class<?> type, String name) {
        return Stream.of(type.getEnumConstants())
                .filter(one -> one.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("A " + type.getSimpleName() + " must be one of "
                        + List.of(type.getEnumConstants()) + ", was '" + name + "'"));
    }

    /** A reflective call. */
    private interface Call {
        Object run() throws ReflectiveOperationException;
    }

    private static Object call(Call call) {
        try {
            return call.run();
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
