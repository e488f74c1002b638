package org.mongolocks.spi.lease;

import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** The filters that select texts by a literal prefix, in the order of their bytes; no character is special. */
final class PrefixRange {
    private static final int AFTER_SURROGATES = Character.MAX_SURROGATE + 1;

    private PrefixRange() {}

    /** Returns the filter for all texts that begin with a prefix, and for no other value. */
    static BsonDocument startingWith(String prefix) {
        BsonDocument range = new BsonDocument("$gte", new BsonString(prefix));
        firstBeyond(prefix).ifPresent(end -> range.append("$lt", new BsonString(end)));
        return range;
    }

    /**
     * Returns the least text that is greater than all with that prefix: its last character incremented, if possible.
     */
    static Optional<String> firstBeyond(String prefix) {
        int end = prefix.length();
        while (end > 0) {
            int last = prefix.codePointBefore(end);
            end -= Character.charCount(last);
            if (last < Character.MAX_CODE_POINT) {
                return Optional.of(prefix.substring(0, end) + Character.toString(following(last)));
            }
        }
        return Optional.empty();
    }

    private static int following(int codePoint) {
        int next = codePoint + 1;
        return next == Character.MIN_SURROGATE ? AFTER_SURROGATES : next;
    }
}
