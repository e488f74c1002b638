package org.mongolocks.embedded.internal.admin;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Set;
import org.mongolocks.embedded.internal.bson.BsonSize;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Fields;
import org.mongolocks.embedded.internal.engine.Server;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.session.Transaction;
import org.mongolocks.embedded.internal.state.Counters;
import org.mongolocks.embedded.internal.state.Counters.Counter;
import org.mongolocks.embedded.internal.state.ServerConfig;
import org.mongolocks.embedded.internal.state.ServerVersion;
import org.mongolocks.embedded.internal.state.TopologyState;

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
        long uptime = server.now() - server.startedAt();
        Document status = new Document("host", server.config().host())
                .append("version", server.config().version().full())
                .append("process", server.config().isRouter() ? "mongos" : "mongod")
                .append("uptime", uptime / 1000.0)
                .append("uptimeMillis", uptime)
                .append("uptimeEstimate", uptime / 1000)
                .append("localTime", server.clock().instant())
                .append("connections", connections(server))
                .append("opcounters", operations(server.counters()))
                .append("storageEngine", new Document("name", "inMemory").append("persistent", false))
                .append("metrics", metrics(server))
                .append(
                        "logicalSessionRecordCache",
                        new Document(
                                "activeSessionsCount", server.sessions().all().size()))
                .append("mongoLocksEmbedded", true);
        if (server.config().isReplicaSet()) {
            status.put("transactions", transactions(server));
        }
        if (server.config().isReplicaSet() && !server.config().isRouter()) {
            status.put(
                    "repl",
                    new Document("setName", ServerConfig.SET_NAME)
                            .append("ismaster", server.topology().isPrimary())
                            .append("secondary", server.topology().state() == TopologyState.State.SECONDARY)
                            .append("primary", server.config().host())
                            .append("me", server.config().host()));
        }
        return status;
    }

    private static Document operations(Counters counters) {
        return new Document("insert", counters.get(Counter.INSERT))
                .append("query", counters.get(Counter.QUERY))
                .append("update", counters.get(Counter.UPDATE))
                .append("delete", counters.get(Counter.DELETE))
                .append("getmore", counters.get(Counter.GET_MORE))
                .append("command", counters.get(Counter.COMMAND));
    }

    private static Document metrics(Server server) {
        long cursors = server.cursors().count();
        Counters counters = server.counters();
        Document ttl = new Document("deletedDocuments", counters.get(Counter.TTL_DELETION))
                .append("passes", counters.get(Counter.TTL_PASS));
        // MongoDB has no such counters.
        Document work = new Document("plannedQueries", counters.get(Counter.PLANNED_QUERY))
                .append("evaluatedExpressions", counters.evaluations().count());
        return new Document("ttl", ttl)
                .append("work", work)
                .append("cursor", new Document("open", new Document("total", cursors)));
    }

    private static Document transactions(Server server) {
        List<Transaction> open = server.transactions().open();
        long active = open.stream().filter(one -> one.session().isCheckedOut()).count();
        Document transactions = new Document("currentActive", active)
                .append("currentInactive", open.size() - active)
                .append("currentOpen", (long) open.size());
        Counters counters = server.counters();
        return transactions
                .append("totalStarted", counters.get(Counter.TRANSACTION_STARTED))
                .append("totalCommitted", counters.get(Counter.TRANSACTION_COMMITTED))
                .append("totalAborted", counters.get(Counter.TRANSACTION_ABORTED));
    }

    private static Document connections(Server server) {
        long awaiting = server.waiting().calls().stream()
                .filter(Call::isAwaitingTopology)
                .count();
        return new Document("current", (int) server.counters().get(Counter.CONNECTION))
                .append("awaitingTopologyChanges", awaiting);
    }

    public static Document hostInfo(Call call) {
        Document system = new Document("currentTime", call.server().clock().instant())
                .append("hostname", call.server().config().host())
                .append("numCores", Runtime.getRuntime().availableProcessors());
        return new Document("system", system)
                .append("os", new Document("name", System.getProperty("os.name")))
                .append("extra", new Document());
    }

    public static Document whatsMyUri(Call call) {
        return new Document("you", "127.0.0.1:" + call.connection().id());
    }

    public static Document connectionStatus(Call call) {
        Document authInfo = new Document("authenticatedUsers", List.of()).append("authenticatedUserRoles", List.of());
        return new Document("authInfo", authInfo);
    }

    public static Document commandLine(Call call) {
        return new Document("argv", List.of("mongod")).append("parsed", new Document());
    }

    public static Document log(Call call) {
        return "*".equals(call.target())
                ? new Document("names", List.of("global", "startupWarnings"))
                : new Document("totalLinesWritten", 0).append("log", List.of());
    }

    public static Document freeMonitoring(Call call) {
        return new Document("state", "disabled");
    }

    public static Document getParameter(Call call) {
        if ("*".equals(call.target())) {
            return new Document(call.server().parameters().all());
        }
        Document found = new Document();
        for (String name : parameterNames(call, "getParameter")) {
            Object value = call.server().parameters().get(name);
            if (value != null) {
                found.put(name, value);
            }
        }
        if (found.isEmpty()) {
            throw CommandError.invalidOptions("no option found to get");
        }
        return found;
    }

    public static Document setParameter(Call call) {
        Document reply = new Document();
        for (String name : parameterNames(call, "setParameter")) {
            Object old = call.server().parameters().set(name, call.command().get(name));
            reply.putIfAbsent("was", old);
        }
        if (reply.isEmpty()) {
            throw CommandError.invalidOptions("no option found to set, use help:true to see options ");
        }
        return reply;
    }

    private static List<String> parameterNames(Call call, String command) {
        Set<String> others = Set.of(command, "$db", "lsid", "$clusterTime", "$readPreference", "maxTimeMS", "comment");
        return call.command().keySet().stream()
                .filter(name -> !others.contains(name))
                .toList();
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
