package org.mongolocks.embedded.internal.admin;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Map.Entry;
import java.util.Set;
import org.mongolocks.embedded.internal.bson.BsonSize;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Fields;
import org.mongolocks.embedded.internal.engine.Server;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.state.Counters;
import org.mongolocks.embedded.internal.state.ServerVersion;

/** Commands that describe the server. */
public final class DiagnosticCommands {
    // The place where this server does not pass for another: our tools look here.
    private static final String MODULE = "mongo-locks-embedded";

    private DiagnosticCommands() {}

    public static Document ping(Call call) {
        return new Document();
    }

    public static Document buildInfo(Call call) {
        ServerVersion version = call.server().config().version();
        return new Document("version", version.full())
                .append("gitVersion", "embedded")
                .append("modules", List.of(MODULE))
                .append("versionArray", version.numbers())
                .append("javascriptEngine", "none")
                .append("bits", 64)
                .append("debug", false)
                .append("maxBsonObjectSize", BsonSize.MAX_DOCUMENT)
                .append("storageEngines", List.of("inMemory"));
    }

    public static Document serverStatus(Call call) {
        Server server = call.server();
        int sessions = server.sessions().all().size();
        return new Document("host", server.config().host())
                .append("version", server.config().version().full())
                .append("process", server.config().isRouter() ? "mongos" : "mongod")
                .append("localTime", server.clock().instant())
                .append("connections", connections(server))
                .append("metrics", metrics(server))
                .append("logicalSessionRecordCache", new Document("activeSessionsCount", sessions));
    }

    private static Document metrics(Server server) {
        long cursors = server.cursors().count();
        Counters counters = server.counters();
        // MongoDB has no such counters.
        Document work = new Document("plannedQueries", counters.plannedQueries())
                .append("evaluatedExpressions", counters.evaluations().count());
        return new Document("work", work).append("cursor", new Document("open", new Document("total", cursors)));
    }

    private static Document connections(Server server) {
        long awaiting = server.waiting().calls().stream()
                .filter(Call::isAwaitingTopology)
                .count();
        return new Document("current", server.counters().connections()).append("awaitingTopologyChanges", awaiting);
    }

    public static Document connectionStatus(Call call) {
        Document authInfo = new Document("authenticatedUsers", List.of()).append("authenticatedUserRoles", List.of());
        return new Document("authInfo", authInfo);
    }

    public static Document getParameter(Call call) {
        Document found = new Document();
        for (Entry<String, Object> parameter : call.server().parameters().all().entrySet()) {
            if (call.command().containsKey(parameter.getKey())) {
                found.put(parameter.getKey(), parameter.getValue());
            }
        }
        if (found.isEmpty()) {
            throw CommandError.invalidOptions("no option found to get");
        }
        return found;
    }

    public static Document configureFailPoint(Call call) {
        Fields.ofCommand(call.command(), Set.of("mode", "data"));
        if (!(call.target() instanceof String name)) {
            throw CommandError.typeMismatch("a fail point must be named by a string");
        }
        call.server().failPoints().configure(name, call.command());
        return new Document();
    }
}
