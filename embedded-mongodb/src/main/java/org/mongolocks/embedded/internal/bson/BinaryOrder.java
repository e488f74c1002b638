package org.mongolocks.embedded.internal.bson;

import de.bwaldvogel.mongo.bson.BinData;
import de.bwaldvogel.mongo.bson.LegacyUUID;
import java.util.UUID;

/** Binary values by length, then subtype, then bytes. */
final class BinaryOrder {
    private BinaryOrder() {}

    static int compare(Object a, Object b) {
        if (a instanceof UUID x && b instanceof UUID y) {
            return compareUuids(x, y);
        }
        if (a instanceof LegacyUUID x && b instanceof LegacyUUID y) {
            return compareLegacy(x.getUuid(), y.getUuid());
        }
        if (a instanceof BinData x && b instanceof BinData y) {
            return x.compareTo(y);
        }
        int byLength = Integer.compare(length(a), length(b));
        return byLength != 0 ? byLength : Integer.compare(subtype(a), subtype(b));
    }

    private static int length(Object value) {
        return value instanceof BinData binData ? binData.getData().length : 16;
    }

    static int subtype(Object value) {
        return value instanceof BinData ? 0 : value instanceof LegacyUUID ? 3 : 4;
    }

    private static int compareUuids(UUID a, UUID b) {
        int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
    }

    // The old format stores each half with its bytes turned around.
    private static int compareLegacy(UUID a, UUID b) {
        return compareUuids(reversed(a), reversed(b));
    }

    private static UUID reversed(UUID uuid) {
        return new UUID(
                Long.reverseBytes(uuid.getMostSignificantBits()), Long.reverseBytes(uuid.getLeastSignificantBits()));
    }
}
