package org.mongolocks.embedded.internal.engine;

import de.bwaldvogel.mongo.bson.Document;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.engine.CommandDefinition.ServerFeature;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.session.Session;
import org.mongolocks.embedded.internal.session.SessionOptions;
import org.mongolocks.embedded.internal.storage.Namespace;

/** The checks of a command before it runs, in the order of MongoDB. */
public final class Admission {
    private final Server server;
    private final SessionRules rules;

    Admission(Server server) {
        this.server = server;
        this.rules = new SessionRules(server.transactions());
    }

    /** Takes a command as far as it may go: to its run, or into a wait. */
    void admit(Call call) {
        if (call.phase() == Call.Phase.ARRIVED) {
            arrive(call);
        }
        if (call.phase() == Call.Phase.ADMITTED) {
            FailPoints.failIfAsked(call);
            prepare(call);
            call.enter(Call.Phase.PREPARED);
        }
        if (call.phase() == Call.Phase.PREPARED) {
            checkMember(call);
            enterSession(call);
            call.enter(Call.Phase.RUNNING);
            call.setTopologyCounter(server.topology().counter());
        }
        checkStillPrimary(call);
        call.checkTime();
    }

    private void arrive(Call call) {
        StableApi.check(call);
        checkDatabase(call);
        call.definition().check(call);
        if (!call.definition().is(ServerFeature.SESSIONLESS)) {
            SessionOptions options =
                    SessionOptions.parse(call.command(), server.config().isReplicaSet());
            call.setOptions(options);
            if (options.session() != null) {
                call.setSession(server.sessions().use(options.session(), server.now()));
            }
        }
        call.enter(Call.Phase.ADMITTED);
        server.failPoints().evaluateFailCommand(call);
    }

    private static void checkDatabase(Call call) {
        if (!(call.command().get("$db") instanceof String db)) {
            throw new CommandError(40571, "OP_MSG requests require a $db argument");
        }
        if (call.definition().is(ServerFeature.ADMIN_ONLY) && !db.equals("admin")) {
            throw new CommandError(
                    ErrorCode.UNAUTHORIZED, call.definition().name() + " may only be run against the admin database.");
        }
        if (!Namespace.isValidDatabase(db)) {
            throw new CommandError(ErrorCode.INVALID_NAMESPACE, "Invalid database name: '" + db + "'");
        }
    }

    private void prepare(Call call) {
        SessionRules.check(call.definition(), call.options(), call.db());
        if (!call.definition().is(ServerFeature.OWN_TIME_LIMIT)) {
            long limit = timeLimit(call.command().getOrDefault("maxTimeMS", 0));
            call.setDeadline(limit == 0 ? Park.NEVER : server.now() + limit);
        }
        ReadConcern.check(call);
        checkWriteConcern(call);
    }

    private void checkMember(Call call) {
        CommandDefinition definition = call.definition();
        if (server.topology().isPrimary() || definition.is(ServerFeature.ANY_MEMBER)) {
            return;
        }
        if (definition.isPrimaryOnly()) {
            throw new CommandError(ErrorCode.NOT_MASTER, "not master");
        }
        boolean isAllowed = call.command().get("$readPreference") instanceof Document preference
                && !"primary".equals(preference.getOrDefault("mode", "primary"));
        if (!isAllowed) {
            throw new CommandError(ErrorCode.NOT_MASTER_NO_SLAVE_OK, "not master and slaveOk=false");
        }
    }

    // A write that had to wait may find that this server is, or was in between, primary no longer.
    private void checkStillPrimary(Call call) {
        boolean isSame = call.topologyCounter() == server.topology().counter();
        if (!isSame && call.definition().isPrimaryOnly()) {
            throw new CommandError(ErrorCode.INTERRUPTED_BY_STATE_CHANGE, "operation was interrupted");
        }
    }

    /** The milliseconds that a command may take; zero for any number. */
    public static long timeLimit(@Nullable Object value) {
        if (!(value instanceof Number limit)) {
            throw CommandError.badValue("maxTimeMS must be a number");
        }
        if (Numbers.whole(limit) < 0 || Numbers.whole(limit) > Integer.MAX_VALUE) {
            throw CommandError.badValue(Numbers.whole(limit) + " value for maxTimeMS is out of range");
        }
        if (limit.doubleValue() != Math.rint(limit.doubleValue())) {
            throw CommandError.badValue("maxTimeMS has non-integral value");
        }
        return Numbers.whole(limit);
    }

    private static void checkWriteConcern(Call call) {
        Document command = call.command();
        if (!command.containsKey("writeConcern")) {
            return;
        }
        if (!call.definition().is(ServerFeature.WRITE)) {
            throw CommandError.invalidOptions("Command does not support writeConcern");
        }
        if (call.options().isTransaction() && !call.definition().is(ServerFeature.TRANSACTION_END)) {
            throw CommandError.invalidOptions("writeConcern is not allowed within a multi-statement transaction");
        }
        WriteConcern.check(command);
    }

    private void enterSession(Call call) {
        Session session = call.session();
        if (session == null || call.options().txnNumber() == null) {
            return;
        }
        if (session.isCheckedOut()) {
            throw Park.forEvent(() -> !session.isCheckedOut());
        }
        session.checkOut(call);
        rules.enter(session, call, server.now());
    }
}
