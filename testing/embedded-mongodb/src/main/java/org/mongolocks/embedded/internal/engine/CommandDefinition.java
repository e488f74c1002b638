package org.mongolocks.embedded.internal.engine;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A command under its name.
 *
 * @param name the name in messages
 * @param alias another name that it goes by, or the same
 * @param form checks the form of a command: a mistake that is found here leaves its session, and its transaction, as they are
 * @param body runs a command and gives the reply, but for what all replies have; it is run again after a {@link Park}
 * @param traits its special properties
 */
public record CommandDefinition(
        String name, String alias, Consumer<Call> form, Function<Call, Document> body, Set<ServerFeature> traits) {
    public boolean is(ServerFeature trait) {
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
        form.accept(call);
    }

    Document run(Call call) {
        return body.apply(call);
    }

    /** All commands by name. */
    public interface Commands {
        /** The command with a name, or null. */
        @Nullable
        CommandDefinition find(String name);
    }

    /** A special property of a command. */
    public enum ServerFeature {
        /** Runs on the database {@code admin} only. */
        ADMIN_ONLY,
        /** Writes, so that it may have a write concern. */
        WRITE,
        /** May have a read concern other than local. */
        READ_CONCERN,
        /** Has the read concern local only, also where it begins a transaction. */
        LOCAL_READ_CONCERN,
        /** May carry a number of its own to be retried with. */
        RETRYABLE,
        /** May run in a transaction. */
        TRANSACTIONAL,
        /** Ends a transaction. */
        TRANSACTION_END,
        /** Does not use sessions, so that its session fields are ignored. */
        SESSIONLESS,
        /** Runs on a secondary as well. */
        ANY_MEMBER,
        /** Runs on a secondary as well, if its read preference allows that. */
        SECONDARY_ALLOWED,
        /** Waits for a change of the topology, if the client asks for that. */
        AWAITS_TOPOLOGY,
        /** Gives its time limit another meaning. */
        OWN_TIME_LIMIT
    }
}
