package org.mongolocks.embedded.internal.session;

import de.bwaldvogel.mongo.bson.Document;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/**
 * The session fields of a command.
 *
 * @param session the id, or null
 * @param txnNumber the number of a transaction or of a retryable write, or null
 * @param isTransaction whether it is that of a transaction ({@code autocommit: false})
 * @param startsTransaction whether the transaction begins here
 */
public record SessionOptions(
        @Nullable UUID session, @Nullable Long txnNumber, boolean isTransaction, boolean startsTransaction) {
    /** A command without a session. */
    public static final SessionOptions NONE = new SessionOptions(null, null, false, false);

    public static SessionOptions parse(Document command, boolean isReplicaSet) {
        UUID session = session(command);
        Long number = typed(command, "txnNumber", Long.class, BsonKind.LONG);
        Boolean autocommit = typed(command, "autocommit", Boolean.class, BsonKind.BOOL);
        Boolean start = typed(command, "startTransaction", Boolean.class, BsonKind.BOOL);
        require(session != null || number == null, "Transaction number requires a session ID to also be specified");
        if (number != null) {
            checkNumber(number, isReplicaSet);
        }
        require(
                number != null || autocommit == null,
                "'autocommit' field requires a transaction number to also be specified");
        require(!Boolean.TRUE.equals(autocommit), "Specifying autocommit=true is not allowed.");
        require(
                autocommit != null || start == null,
                "'startTransaction' field requires 'autocommit' field to also be specified");
        require(!Boolean.FALSE.equals(start), "Specifying startTransaction=false is not allowed.");
        return new SessionOptions(session, number, autocommit != null, start != null);
    }

    private static void checkNumber(long number, boolean isReplicaSet) {
        if (!isReplicaSet) {
            throw CommandError.illegalOperation(
                    "Transaction numbers are only allowed on a replica set member or mongos");
        }
        require(number >= 0, "Transaction number cannot be negative");
    }

    private static @Nullable UUID session(Document command) {
        Document lsid = typed(command, "lsid", Document.class, BsonKind.OBJECT);
        if (lsid == null) {
            return null;
        }
        for (String name : lsid.keySet()) {
            if (!name.equals("id") && !name.equals("uid")) {
                throw new CommandError(ErrorCode.UNKNOWN_FIELD, "BSON field 'lsid." + name + "' is an unknown field.");
            }
        }
        if (lsid.get("id") instanceof UUID id) {
            return id;
        }
        throw CommandError.typeMismatch("BSON field 'lsid.id' must be a UUID");
    }

    private static <T> @Nullable T typed(Document command, String name, Class<T> type, BsonKind expected) {
        if (!command.containsKey(name)) {
            return null;
        }
        Object value = command.get(name);
        if (!type.isInstance(value)) {
            throw wrongType(name, value, expected);
        }
        return type.cast(value);
    }

    private static CommandError wrongType(String name, @Nullable Object value, BsonKind expected) {
        return CommandError.typeMismatch("BSON field 'OperationSessionInfo." + name + "' is the wrong type '"
                + BsonKind.nameOf(value) + "', expected type '" + expected.alias() + "'");
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw CommandError.invalidOptions(message);
        }
    }
}
