package org.mongolocks.embedded.internal.engine;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Map.Entry;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/**
 * How durable a write must be before it is answered. With one member each write is as durable as it can be at once.
 *
 * @param w a number of members or a mode
 */
record WriteConcern(Object w, boolean isJournaled, int timeoutMillis) {
    private static final int MAX_MEMBERS = 50;
    private static final String MAJORITY = "majority";
    private static final WriteConcern DEFAULT = new WriteConcern(1, false, 0);
    private static final Set<String> KNOWN =
            Set.of("w", "j", "fsync", "wtimeout", "wElectionId", "wOpTime", "getLastError", "provenance");

    static WriteConcern parse(Document command) {
        if (!command.containsKey("writeConcern")) {
            return DEFAULT;
        }
        if (!(command.get("writeConcern") instanceof Document concern)) {
            throw CommandError.typeMismatch("\"writeConcern\" had the wrong type. Expected object, found "
                    + BsonKind.nameOf(command.get("writeConcern")));
        }
        checkFields(concern);
        Object w = concern.containsKey("w") ? checkedMembers(concern.get("w")) : 1;
        int timeout = concern.get("wtimeout") instanceof Number millis ? Numbers.wholeInt(millis) : 0;
        return new WriteConcern(w, Values.isTrue(concern.get("j")), timeout);
    }

    private static void checkFields(Document concern) {
        for (Entry<String, Object> field : concern.entrySet()) {
            String name = field.getKey();
            boolean isFlag = name.equals("j") || name.equals("fsync");
            if (!KNOWN.contains(name)) {
                throw CommandError.failedToParse("unrecognized write concern field: " + name);
            }
            if (isFlag && !(field.getValue() instanceof Number || field.getValue() instanceof Boolean)) {
                throw CommandError.failedToParse(name + " must be numeric or a boolean value");
            }
        }
        if (Values.isTrue(concern.get("j")) && Values.isTrue(concern.get("fsync"))) {
            throw CommandError.failedToParse("fsync and j options cannot be used together");
        }
    }

    private static Object checkedMembers(@Nullable Object w) {
        if (w instanceof Number number) {
            if (Numbers.whole(number) < 0 || Numbers.whole(number) > MAX_MEMBERS) {
                throw CommandError.failedToParse(
                        "w has to be a non-negative number and not greater than " + MAX_MEMBERS);
            }
            return Numbers.wholeInt(number);
        }
        if (w instanceof String mode) {
            return mode;
        }
        throw CommandError.failedToParse("w has to be a number or a string");
    }

    /** Refuses what a server without replication cannot promise. */
    void checkStandalone() {
        if (w instanceof Integer members && members > 1) {
            throw CommandError.badValue("cannot use 'w' > 1 when a host is not replicated");
        }
        if (w instanceof String && !w.equals(MAJORITY)) {
            throw CommandError.badValue(
                    "cannot use non-majority 'w' mode " + w + " when a host is not a member of a replica set");
        }
    }

    /** The error of a replica set of one member that cannot satisfy this, or null. */
    @Nullable
    Document error() {
        if (w instanceof Integer members && members > 1) {
            return error(ErrorCode.UNSATISFIABLE_WRITE_CONCERN, "Not enough data-bearing nodes");
        }
        if (w instanceof String && !w.equals(MAJORITY)) {
            return error(
                    ErrorCode.UNKNOWN_WRITE_CONCERN,
                    "No write concern mode named '" + w + "' found in replica set configuration");
        }
        return null;
    }

    /** An error of this concern. */
    Document error(int code, String message) {
        Document used = new Document("w", w);
        if (isJournaled) {
            used.put("j", true);
        }
        used.append("wtimeout", timeoutMillis).append("provenance", "clientSupplied");
        return new Document("code", code)
                .append("codeName", ErrorCode.nameOf(code))
                .append("errmsg", message)
                .append("errInfo", new Document("writeConcern", used));
    }
}
