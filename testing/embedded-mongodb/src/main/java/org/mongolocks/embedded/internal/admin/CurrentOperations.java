package org.mongolocks.embedded.internal.admin;

import de.bwaldvogel.mongo.bson.Document;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map.Entry;
import java.util.Set;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Server;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.query.FilterParser;
import org.mongolocks.embedded.internal.session.Session;
import org.mongolocks.embedded.internal.session.Transaction;

/** currentOp: the commands that are under way, all of which wait but this one, and the transactions between their commands. */
public final class CurrentOperations {
    private static final Set<String> OPERATIONS = Set.of("insert", "update", "delete");
    private static final Set<String> NO_FILTER =
            Set.of("currentOp", "$all", "$ownOps", "$db", "lsid", "$clusterTime", "$readPreference", "comment");

    private final Call call;
    private final Server server;

    private CurrentOperations(Call call) {
        this.call = call;
        this.server = call.server();
    }

    public static Document run(Call call) {
        return new CurrentOperations(call).run();
    }

    private Document run() {
        Filter filter = filter();
        List<Document> found = new ArrayList<>();
        for (Call under : server.waiting().calls()) {
            found.add(operation(under));
        }
        found.add(operation(call));
        for (Transaction transaction : server.transactions().open()) {
            if (!transaction.session().isCheckedOut()) {
                found.add(idle(transaction));
            }
        }
        found.removeIf(operation -> !filter.matches(operation));
        return new Document("inprog", found);
    }

    private Filter filter() {
        Document filter = new Document();
        for (Entry<String, Object> field : call.command().entrySet()) {
            if (!NO_FILTER.contains(field.getKey())) {
                filter.put(field.getKey(), field.getValue());
            }
        }
        if (Values.isTrue(call.command().get("$ownOps"))) {
            filter.put("connectionId", call.connection().id());
        }
        return FilterParser.parse(filter, Scope.timeless());
    }

    private Document operation(Call under) {
        String name = under.definition().name();
        long millis = Math.max(0, server.now() - under.arrivedAt());
        Document operation = new Document("type", "op")
                .append("host", server.config().host())
                .append("desc", "conn" + under.connection().id())
                .append("connectionId", under.connection().id())
                .append("appName", under.connection().appName())
                .append("active", true)
                .append("currentOpTime", server.clock().instant().toString())
                .append("opid", under.id())
                .append("secs_running", millis / 1000)
                .append("microsecs_running", millis * 1000)
                .append("op", operationOf(name))
                .append("ns", under.namespaceText())
                .append("command", under.command());
        Session session = under.session();
        if (session != null) {
            operation.append("lsid", session.document());
        }
        Transaction transaction = under.transaction();
        if (transaction != null) {
            operation.append("transaction", describe(transaction));
        }
        return operation;
    }

    private static String operationOf(String command) {
        if (OPERATIONS.contains(command)) {
            return command.equals("delete") ? "remove" : command;
        }
        return command.equals("getMore") ? "getmore" : command.equals("find") ? "query" : "command";
    }

    private Document idle(Transaction transaction) {
        return new Document("type", "idleSession")
                .append("host", server.config().host())
                .append("desc", "inactive transaction")
                .append("lsid", transaction.session().document())
                .append("transaction", describe(transaction))
                .append("active", false);
    }

    private static Document describe(Transaction transaction) {
        return new Document("parameters", new Document("txnNumber", transaction.number()).append("autocommit", false))
                .append(
                        "expiryTime",
                        Instant.ofEpochMilli(transaction.expiresAt()).toString());
    }
}
