package org.mongolocks.embedded.internal.bson;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** How deep a document may nest. */
public final class Nesting {
    /** What a stored document may have. */
    public static final int MAX_STORED = 180;

    /** What any message may have. */
    public static final int MAX_MESSAGE = 200;

    private Nesting() {}

    public static boolean exceeds(@Nullable Object value, int limit) {
        if (value instanceof Document document) {
            return limit == 0 || anyExceeds(document.values(), limit - 1);
        }
        return value instanceof Collection && (limit == 0 || anyExceeds((Collection<?>) value, limit - 1));
    }

    private static boolean anyExceeds(Collection<?> values, int limit) {
        for (Object value : values) {
            if (exceeds(value, limit)) {
                return true;
            }
        }
        return false;
    }
}
