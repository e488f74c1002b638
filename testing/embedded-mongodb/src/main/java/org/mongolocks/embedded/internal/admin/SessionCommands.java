package org.mongolocks.embedded.internal.admin;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Fields;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.session.Session;

/** endSessions, killAllSessions, commitTransaction and abortTransaction. */
public final class SessionCommands {
    private SessionCommands() {}

    public static Document end(Call call) {
        Fields.ofCommand(call.command(), Set.of());
        ids(call).forEach(id -> call.server().sessions().end(id, call.server().now()));
        return new Document();
    }

    /** Ends what sessions do; their writes stay recorded. */
    public static Document killAll(Call call) {
        Fields.ofCommand(call.command(), Set.of());
        if (!ids(call).isEmpty()) {
            throw CommandError.unsupported("killAllSessions for some users only");
        }
        for (Session session : call.server().sessions().all()) {
            call.server().transactions().abort(session);
            call.server().cursors().closeSession(session.id());
        }
        return new Document();
    }

    private static List<UUID> ids(Call call) {
        if (!(call.target() instanceof List<?> listed)) {
            throw CommandError.typeMismatch(
                    "BSON field '" + call.definition().name() + "' must be an array of sessions");
        }
        List<UUID> ids = new ArrayList<>();
        for (Object session : listed) {
            if (!(session instanceof Document document) || !(document.get("id") instanceof UUID id)) {
                throw CommandError.typeMismatch("a session must have an id that is a UUID");
            }
            ids.add(id);
        }
        return ids;
    }

    public static Document commit(Call call) {
        Fields.ofCommand(call.command(), Set.of("recoveryToken"));
        call.server().transactions().commit(session(call, "commitTransaction"));
        return new Document();
    }

    public static Document abort(Call call) {
        Fields.ofCommand(call.command(), Set.of("recoveryToken"));
        Session session = session(call, "abortTransaction");
        if (session.transaction() == null) {
            throw new CommandError(ErrorCode.NO_SUCH_TRANSACTION, "Transaction isn't in progress");
        }
        call.server().transactions().abort(session);
        return new Document();
    }

    private static Session session(Call call, String command) {
        Session session = call.session();
        if (session == null || call.options().txnNumber() == null) {
            throw new CommandError(ErrorCode.COMMAND_FAILED, command + " must be run within a transaction");
        }
        return session;
    }
}
