package org.mongolocks.embedded.internal.change;

import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
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
    private static final int BAD_TOKEN = 40647;
    private static final int UNREADABLE_TOKEN = 40649;
    private static final Pattern HEX = Pattern.compile("([0-9A-Fa-f]{2})*");
    private static final Pattern FORMAT = Pattern.compile("82([0-9A-F]{16})2B([0-9A-F]{8})([0-9A-F]{2})04");

    /** The kind of position that a token marks. */
    enum Kind {
        /** An event. */
        EVENT(0),
        /** The event after the last one, which says that the stream is over. */
        INVALIDATE(1),
        /** No event: all entries up to here have been looked at. */
        HIGH_WATER(2);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        static Kind of(int code) {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            throw new CommandError(UNREADABLE_TOKEN, "Bad resume token: not one of this server");
        }
    }

    /** A token for the time at which a stream begins. */
    static ResumeToken at(BsonTimestamp timestamp) {
        return new ResumeToken(timestamp, Integer.MAX_VALUE, Kind.HIGH_WATER);
    }

    static ResumeToken parse(@Nullable Object token) {
        if (!(token instanceof Document document)) {
            throw CommandError.typeMismatch("a resume token is of the wrong type, expected type 'object'");
        }
        if (!(document.get("_data") instanceof String data)) {
            throw new CommandError(
                    BAD_TOKEN, "Bad resume token: _data of missing or of wrong type " + document.toString(true));
        }
        if (!HEX.matcher(data).matches()) {
            throw CommandError.failedToParse("resume token string was not a valid hex string");
        }
        Matcher matcher = FORMAT.matcher(data);
        if (!matcher.matches()) {
            throw new CommandError(UNREADABLE_TOKEN, "Bad resume token: not one of this server: " + data);
        }
        return new ResumeToken(
                new BsonTimestamp(Long.parseUnsignedLong(matcher.group(1), 16)),
                Integer.parseUnsignedInt(matcher.group(2), 16),
                Kind.of(Integer.parseInt(matcher.group(3), 16)));
    }

    Document document() {
        return new Document("_data", String.format("82%016X2B%08X%02X04", timestamp.getValue(), index, kind.code));
    }
}
