package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Server;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.session.Session;

/** startSession, refreshSessions, endSessions and killSessions. */
final class SessionCommands {
    private SessionCommands() {}

    static Document start(Call call) {
        Fields.ofCommand(call.command(), Set.of());
        return new Document("id", new Document("id", call.server().ids().uuid()))
                .append("timeoutMinutes", call.server().parameters().get("localLogicalSessionTimeoutMinutes"));
    }

    static Document refresh(Call call) {
        Fields.ofCommand(call.command(), Set.of());
        for (UUID id : ids(call)) {
            Session session = call.server().sessions().find(id);
            if (session != null) {
                session.usedAt(call.server().now());
            }
        }
        return new Document();
    }

    // Ended sessions are only marked in MongoDB; what they have done is forgotten soon, and their transaction ends now.
    static Document end(Call call) {
        Fields.ofCommand(call.command(), Set.of());
        for (UUID id : ids(call)) {
            end(call.server(), id);
        }
        return new Document();
    }

    private static void end(Server server, UUID id) {
        Session session = server.sessions().find(id);
        if (session != null) {
            server.transactions().abort(session);
            server.cursors().closeSession(id);
            server.sessions().end(id);
        }
    }

    private static List<UUID> ids(Call call) {
        if (!(call.target() instanceof List<?> listed)) {
            throw new CommandError(
                    ErrorCode.TYPE_MISMATCH,
                    "BSON field '" + call.definition().name() + "' must be an array of sessions");
        }
        List<UUID> ids = new ArrayList<>();
        for (Object session : listed) {
            if (!(session instanceof Document document) || !(document.get("id") instanceof UUID id)) {
                throw new CommandError(ErrorCode.TYPE_MISMATCH, "a session must have an id that is a UUID");
            }
            ids.add(id);
        }
        return ids;
    }
}
