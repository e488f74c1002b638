package org.mongolocks.embedded.internal.change;

import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.error.CommandError;

/**
 * A place in the stream of events.
 *
 * @param timestamp the entry of the oplog
 * @param index which change of that entry was the last
 * @param kind what stands at this place
 */
record ResumeToken(BsonTimestamp timestamp, int index, Kind kind) {
    private static final int UNREADABLE_TOKEN = 40649;
    private static final Pattern FORMAT = Pattern.compile("82([0-9A-F]{16})2B([0-9A-F]{8})(0[012])04");

    /** The kind of position that a token marks. */
    enum Kind {
        /** An event. */
        EVENT,
        /** The event after the last one, which says that the stream is over. */
        INVALIDATE,
        /** No event: all entries up to here have been looked at. */
        HIGH_WATER
    }

    /** A token for the time at which a stream begins. */
    static ResumeToken at(BsonTimestamp timestamp) {
        return new ResumeToken(timestamp, Integer.MAX_VALUE, Kind.HIGH_WATER);
    }

    static ResumeToken parse(@Nullable Object token) {
        String data = token instanceof Document document ? String.valueOf(document.get("_data")) : "";
        Matcher matcher = FORMAT.matcher(data);
        if (!matcher.matches()) {
            throw new CommandError(UNREADABLE_TOKEN, "Bad resume token: not one of this server: " + data);
        }
        return new ResumeToken(
                new BsonTimestamp(Long.parseUnsignedLong(matcher.group(1), 16)),
                Integer.parseUnsignedInt(matcher.group(2), 16),
                Kind.values()[Integer.parseInt(matcher.group(3))]);
    }

    Document document() {
        return new Document(
                "_data",
                String.format(
                        "82%016X2B%08X%02X04",
                        timestamp.getValue(), index, List.of(Kind.values()).indexOf(kind)));
    }
}
