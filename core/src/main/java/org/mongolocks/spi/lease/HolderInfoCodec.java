package org.mongolocks.spi.lease;

import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.HolderInfo;
import org.mongolocks.spi.LockFields;

/** The stored form of a {@link HolderInfo}: {@code {host, pid, thread, note}}, each only if present. */
public final class HolderInfoCodec {
    private static final String HOST = "host";
    private static final String PROCESS = "pid";
    private static final String THREAD = "thread";
    private static final String NOTE = "note";

    private HolderInfoCodec() {}

    /**
     * Returns the document. It is a value of the caller's: in a pipeline it belongs in {@code $literal}. If nothing is
     * present it is empty and stored nevertheless, so that it replaces that of the previous holder.
     *
     * @param holder the information about the holder
     * @return the document
     */
    public static BsonDocument of(HolderInfo holder) {
        BsonDocument stored = new BsonDocument();
        holder.host().ifPresent(host -> stored.append(HOST, new BsonString(host)));
        holder.processId().ifPresent(process -> stored.append(PROCESS, new BsonInt64(process)));
        holder.thread().ifPresent(thread -> stored.append(THREAD, new BsonString(thread)));
        holder.note().ifPresent(note -> stored.append(NOTE, new BsonString(note)));
        return stored;
    }

    /**
     * Reads the information about the holder from a lock document.
     *
     * @param lock the lock document
     * @return the information, {@link HolderInfo#none()} if there is none
     */
    static HolderInfo in(BsonDocument lock) {
        BsonValue value = lock.get(LockFields.HOLDER);
        if (value == null || !value.isDocument()) {
            return HolderInfo.none();
        }
        BsonDocument stored = value.asDocument();
        return new HolderInfo(text(stored, HOST), number(stored), text(stored, THREAD), text(stored, NOTE));
    }

    private static Optional<String> text(BsonDocument stored, String field) {
        BsonValue value = stored.get(field);
        return value != null && value.isString() ? Optional.of(value.asString().getValue()) : Optional.empty();
    }

    private static OptionalLong number(BsonDocument stored) {
        BsonValue value = stored.get(PROCESS);
        return value != null && value.isNumber()
                ? OptionalLong.of(value.asNumber().longValue())
                : OptionalLong.empty();
    }
}
