package org.mongolocks.embedded.corpus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** Changes commands, and their bytes, at random. */
final class Mutator {
    private static final List<BsonValue> VALUES = List.of(
            new BsonInt32(0),
            new BsonInt32(-1),
            new BsonInt32(Integer.MAX_VALUE),
            new BsonInt64(1),
            new BsonInt64(Long.MIN_VALUE),
            new BsonInt64(Long.MAX_VALUE),
            new BsonDouble(0.5),
            new BsonDouble(Double.NaN),
            new BsonDouble(Double.NEGATIVE_INFINITY),
            new BsonDouble(1e300),
            new BsonDecimal128(Decimal128.NaN),
            new BsonDecimal128(Decimal128.POSITIVE_INFINITY),
            new BsonDecimal128(Decimal128.parse("1.5E+6000")),
            new BsonString(""),
            new BsonString("$"),
            new BsonString("$$"),
            new BsonString("$$NOW"),
            new BsonString("$a.b"),
            new BsonString("a\u0000b"),
            new BsonString("."),
            new BsonDocument(),
            new BsonArray(),
            new BsonArray(List.of(new BsonArray(), new BsonDocument("a", BsonNull.VALUE))),
            BsonBoolean.TRUE,
            BsonBoolean.FALSE,
            BsonNull.VALUE,
            new BsonObjectId(new ObjectId("5f0000000000000000000000")),
            new BsonDateTime(0),
            new BsonDateTime(Long.MAX_VALUE),
            new BsonDateTime(Long.MIN_VALUE),
            new BsonTimestamp(0),
            new BsonTimestamp(-1),
            new BsonBinary(new byte[0]),
            new BsonBinary(new UUID(1, 2)),
            new BsonRegularExpression("(", "i"),
            new BsonRegularExpression("^a", ""),
            new BsonMinKey(),
            new BsonMaxKey());

    private final Random random;
    private final List<String> names =
            new ArrayList<>(List.of("", "$", "a..b", ".", "_id", "$each", "l.$[]", "l.$[x]"));
    private final List<BsonValue> pieces = new ArrayList<>(VALUES);

    /**
     * Begins with commands that are right.
     *
     * @param commands where names and values are taken from
     */
    Mutator(Random random, List<BsonDocument> commands) {
        this.random = random;
        commands.forEach(this::collect);
    }

    private void collect(BsonValue value) {
        pieces.add(value);
        if (value instanceof BsonDocument document) {
            names.addAll(document.keySet());
            document.values().forEach(this::collect);
        } else if (value instanceof BsonArray array) {
            array.forEach(this::collect);
        }
    }

    /** The command with some of its fields changed, never the name of the command. */
    BsonDocument mutated(BsonDocument command) {
        BsonDocument result = command.clone();
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            change(result, command.getFirstKey());
        }
        return result;
    }

    private void change(BsonDocument document, String kept) {
        List<String> fields = new ArrayList<>(document.keySet());
        String field = fields.isEmpty() ? kept : fields.get(random.nextInt(fields.size()));
        BsonValue value = document.get(field);
        int choice = random.nextInt(10);
        if (choice < 5 && goesDeeper(value)) {
            return;
        }
        if (choice == 5 && !field.equals(kept)) {
            document.remove(field);
        } else if (choice == 6) {
            document.put(one(names), piece());
        } else {
            document.put(field, piece());
        }
    }

    private boolean goesDeeper(@Nullable BsonValue value) {
        if (value instanceof BsonDocument inner) {
            change(inner, "");
            return true;
        }
        if (!(value instanceof BsonArray array) || array.isEmpty()) {
            return false;
        }
        int index = random.nextInt(array.size());
        if (!goesDeeper(array.get(index))) {
            array.set(index, piece());
        }
        return true;
    }

    // A copy, for it may be changed again where it is.
    private BsonValue piece() {
        BsonValue piece = one(pieces);
        if (piece instanceof BsonDocument document) {
            return document.clone();
        }
        return piece instanceof BsonArray array ? array.clone() : piece;
    }

    private <T> T one(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    /** The bytes with some of them changed, left out or doubled. */
    byte[] mutated(byte[] bytes) {
        byte[] result = bytes.clone();
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            result[random.nextInt(result.length)] = (byte) random.nextInt(256);
        }
        return random.nextInt(4) == 0 ? Arrays.copyOf(result, random.nextInt(2 * result.length)) : result;
    }
}
