package org.mongolocks.embedded.internal.query;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.error.CommandError;

/** {@code $type}: a value of one of several BSON types. */
record TypeTest(Set<Integer> codes) implements ValueTest {
    // Types that clients cannot send to this server; they may be asked for, and nothing has them.
    private static final List<String> NEVER_STORED = List.of("undefined", "dbPointer", "symbol", "javascriptWithScope");
    private static final Set<Integer> NEVER_STORED_CODES = Set.of(6, 12, 14, 15);

    static TypeTest of(String path, @Nullable Object argument) {
        Collection<?> types =
                argument instanceof Collection ? (Collection<?>) argument : List.of(present(path, argument));
        if (types.isEmpty()) {
            throw CommandError.failedToParse(path + " must match at least one type");
        }
        Set<Integer> codes = new HashSet<>();
        for (Object type : types) {
            add(present(path, type), codes);
        }
        return new TypeTest(codes);
    }

    private static Object present(String path, @Nullable Object type) {
        if (type instanceof String || type instanceof Number) {
            return type;
        }
        throw CommandError.typeMismatch("type must be represented as a number or a string: " + path);
    }

    private static void add(Object type, Set<Integer> codes) {
        if (type instanceof Number number) {
            codes.add(checkedCode(number));
        } else if (type.equals("number")) {
            codes.addAll(List.of(1, 16, 18, 19));
        } else {
            addAlias((String) type, codes);
        }
    }

    private static int checkedCode(Number type) {
        int code = Numbers.wholeInt(type);
        boolean isKnown = NEVER_STORED_CODES.contains(code);
        for (BsonKind kind : BsonKind.values()) {
            isKnown |= kind.code() == code && kind != BsonKind.MISSING;
        }
        if (!isKnown || type.doubleValue() != code) {
            throw CommandError.badValue("Invalid numerical type code: " + type);
        }
        return code;
    }

    private static void addAlias(String alias, Set<Integer> codes) {
        for (BsonKind kind : BsonKind.values()) {
            if (kind != BsonKind.MISSING && kind.alias().equals(alias)) {
                codes.add(kind.code());
                return;
            }
        }
        if (!NEVER_STORED.contains(alias)) {
            throw CommandError.badValue("Unknown type name alias: " + alias);
        }
    }

    @Override
    public boolean test(@Nullable Object value) {
        return codes.contains(BsonKind.of(value).code());
    }
}
