package org.mongolocks.embedded.internal.engine;

import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.expression.Scope;

/**
 * The times that a router sends along with find, aggregate, update and findAndModify, so that {@code $$NOW} is the same on every shard. The
 * clock of the server does not matter to such a command, but for {@code $currentDate}.
 */
final class RuntimeConstants {
    private RuntimeConstants() {}

    static Scope scope(@Nullable Object constants) {
        if (!(constants instanceof Document document)) {
            throw wrongType("runtimeConstants", constants, BsonKind.OBJECT);
        }
        for (String name : document.keySet()) {
            if (!name.equals("localNow") && !name.equals("clusterTime")) {
                throw new CommandError(
                        ErrorCode.UNKNOWN_FIELD, "BSON field 'runtimeConstants." + name + "' is an unknown field.");
            }
        }
        if (!(required(document, "localNow") instanceof Instant now)) {
            throw wrongType("runtimeConstants.localNow", document.get("localNow"), BsonKind.DATE);
        }
        if (!(required(document, "clusterTime") instanceof BsonTimestamp time)) {
            throw wrongType("runtimeConstants.clusterTime", document.get("clusterTime"), BsonKind.TIMESTAMP);
        }
        return Scope.at(now, time);
    }

    private static @Nullable Object required(Document constants, String name) {
        if (!constants.containsKey(name)) {
            throw new CommandError(
                    ErrorCode.MISSING_FIELD,
                    "BSON field 'runtimeConstants." + name + "' is missing but a required field");
        }
        return constants.get(name);
    }

    private static CommandError wrongType(String name, @Nullable Object value, BsonKind expected) {
        return CommandError.typeMismatch("BSON field '" + name + "' is the wrong type '"
                + BsonKind.of(value).alias() + "', expected type '" + expected.alias() + "'");
    }
}
