package org.mongolocks.embedded.internal.engine;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Set;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.error.CommandError;

/** How durable a write must be before it is answered. With one member each write is as durable as it can be at once. */
final class WriteConcern {
    private static final Set<String> KNOWN = Set.of("w", "j", "wtimeout", "provenance");
    private static final Set<Object> ONE_MEMBER = Set.of(0, 1, "majority");

    private WriteConcern() {}

    /** Checks that one member can satisfy the write concern of a command. */
    static void check(Document command) {
        if (!(command.get("writeConcern") instanceof Document concern)) {
            throw CommandError.typeMismatch("\"writeConcern\" had the wrong type. Expected object, found "
                    + BsonKind.nameOf(command.get("writeConcern")));
        }
        for (String name : concern.keySet()) {
            if (!KNOWN.contains(name)) {
                throw CommandError.failedToParse("unrecognized write concern field: " + name);
            }
        }
        Object w = concern.getOrDefault("w", 1);
        Object members = w instanceof Number number ? Integer.valueOf(Numbers.wholeInt(number)) : w;
        if (members == null || !ONE_MEMBER.contains(members)) {
            throw CommandError.unsupported("The write concern w: " + ShellText.of(w));
        }
        Object journal = concern.getOrDefault("j", false);
        if (!(journal instanceof Number || journal instanceof Boolean)) {
            throw CommandError.failedToParse("j must be numeric or a boolean value");
        }
    }
}
