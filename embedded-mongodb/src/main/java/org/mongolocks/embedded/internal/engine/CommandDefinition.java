package org.mongolocks.embedded.internal.engine;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Set;
import org.mongolocks.embedded.internal.command.Command;

/**
 * A command under its name.
 *
 * @param name the name in messages
 * @param alias another name that it goes by, or the same
 */
public record CommandDefinition(String name, String alias, Command command, Set<ServerFeature> traits) {
    boolean is(ServerFeature trait) {
        return traits.contains(trait);
    }

    /** Whether it runs on a primary, and nowhere else. */
    boolean isPrimaryOnly() {
        return !is(ServerFeature.ANY_MEMBER) && !is(ServerFeature.SECONDARY_ALLOWED);
    }

    boolean isCalled(Object other) {
        return name.equals(other) || alias.equals(other);
    }

    void check(Call call) {
        command.check(call);
    }

    Document run(Call call) {
        return command.run(call);
    }
}
