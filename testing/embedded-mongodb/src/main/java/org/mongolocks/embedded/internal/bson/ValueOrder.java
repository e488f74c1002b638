package org.mongolocks.embedded.internal.bson;

import de.bwaldvogel.mongo.bson.BinData;
import de.bwaldvogel.mongo.bson.BsonRegularExpression;
import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.bson.ObjectId;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map.Entry;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The order of BSON values, across all types; numbers of different types with the same value are equal. */
public final class ValueOrder {
    /** The order as a comparator; null and missing are ordinary values to it. */
    public static final Comparator<@Nullable Object> COMPARATOR = ValueOrder::compare;

    private ValueOrder() {}

    public static boolean same(@Nullable Object a, @Nullable Object b) {
        return compare(a, b) == 0;
    }

    public static int compare(@Nullable Object a, @Nullable Object b) {
        if (a instanceof String x && b instanceof String y) {
            return compareTexts(x, y);
        }
        BsonKind kind = BsonKind.of(a);
        int byRank = Integer.compare(kind.rank(), BsonKind.of(b).rank());
        return byRank != 0 || a == null || b == null ? byRank : compareSameRank(kind, a, b);
    }

    private static int compareSameRank(BsonKind kind, Object a, Object b) {
        return switch (kind) {
            case INT, LONG, DOUBLE, DECIMAL -> Numbers.compare((Number) a, (Number) b);
            case OBJECT -> compareDocuments((Document) a, (Document) b);
            case ARRAY -> compareArrays((Collection<?>) a, (Collection<?>) b);
            case BIN_DATA -> compareBinary(a, b);
            case OBJECT_ID -> ((ObjectId) a).compareTo((ObjectId) b);
            case BOOL -> ((Boolean) a).compareTo((Boolean) b);
            case DATE -> ((Instant) a).compareTo((Instant) b);
            case TIMESTAMP -> ((BsonTimestamp) a).compareTo((BsonTimestamp) b);
            case REGEX -> text((BsonRegularExpression) a).compareTo(text((BsonRegularExpression) b));
            case STRING, NULL, MISSING, MIN_KEY, MAX_KEY -> 0;
        };
    }

    private static String text(BsonRegularExpression regex) {
        return regex.getPattern() + '\0' + regex.getOptions();
    }

    private static int compareDocuments(Document a, Document b) {
        Iterator<Entry<String, Object>> left = a.entrySet().iterator();
        Iterator<Entry<String, Object>> right = b.entrySet().iterator();
        while (left.hasNext() && right.hasNext()) {
            int order = compareFields(left.next(), right.next());
            if (order != 0) {
                return order;
            }
        }
        return Boolean.compare(left.hasNext(), right.hasNext());
    }

    // Type first, then name, then value: that is how MongoDB orders embedded documents.
    private static int compareFields(Entry<String, Object> a, Entry<String, Object> b) {
        int order = Integer.compare(
                BsonKind.of(a.getValue()).rank(), BsonKind.of(b.getValue()).rank());
        if (order == 0) {
            order = compareTexts(a.getKey(), b.getKey());
        }
        return order != 0 ? order : compare(a.getValue(), b.getValue());
    }

    private static int compareArrays(Collection<?> a, Collection<?> b) {
        Iterator<?> left = a.iterator();
        Iterator<?> right = b.iterator();
        while (left.hasNext() && right.hasNext()) {
            int order = compare(left.next(), right.next());
            if (order != 0) {
                return order;
            }
        }
        return Boolean.compare(left.hasNext(), right.hasNext());
    }

    // By code point, which is the order of their UTF-8 bytes.
    private static int compareTexts(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                return Character.isSurrogate(x) == Character.isSurrogate(y)
                        ? Character.compare(x, y)
                        : Boolean.compare(Character.isSurrogate(x), Character.isSurrogate(y));
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    // By length, then subtype, then bytes.
    private static int compareBinary(Object a, Object b) {
        if (a instanceof UUID x && b instanceof UUID y) {
            return compareUuids(x, y);
        }
        if (a instanceof BinData x && b instanceof BinData y) {
            return x.compareTo(y);
        }
        int byLength = Integer.compare(length(a), length(b));
        return byLength != 0 ? byLength : Integer.compare(binarySubtype(a), binarySubtype(b));
    }

    private static int length(Object value) {
        return value instanceof BinData binData ? binData.getData().length : 16;
    }

    static int binarySubtype(Object value) {
        return value instanceof BinData ? 0 : 4;
    }

    private static int compareUuids(UUID a, UUID b) {
        int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
    }
}
