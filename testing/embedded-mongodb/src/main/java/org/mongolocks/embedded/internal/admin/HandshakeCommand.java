package org.mongolocks.embedded.internal.admin;

import de.bwaldvogel.mongo.bson.Document;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.mongolocks.embedded.internal.bson.BsonSize;
import org.mongolocks.embedded.internal.engine.Admission;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Fields;
import org.mongolocks.embedded.internal.engine.Park;
import org.mongolocks.embedded.internal.engine.Server;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.state.ClientConnection;
import org.mongolocks.embedded.internal.state.Parameters;
import org.mongolocks.embedded.internal.state.ServerConfig;
import org.mongolocks.embedded.internal.state.TopologyState;

/** {@code hello} and {@code isMaster}: the state of the server, which a driver requests first, and then each time it changes. */
public final class HandshakeCommand {
    private static final int MAX_MESSAGE = 48_000_000;
    private static final int MAX_BATCH = 100_000;
    private static final int METADATA_CANNOT_BE_MUTATED = 186;
    private static final int INCOMPLETE_WAIT = 31368;

    private HandshakeCommand() {}

    public static Document hello(Call call) {
        return state(call, "isWritablePrimary");
    }

    /** The older name. */
    public static Document isMaster(Call call) {
        return state(call, "ismaster");
    }

    private static Document state(Call call, String isPrimary) {
        if (!call.isContinued()) {
            introduce(call.connection(), call.command());
        }
        awaitChange(call);
        Server server = call.server();
        Document reply = new Document("topologyVersion", server.topology().version())
                .append(isPrimary, server.topology().isPrimary());
        // A client that knows both names asks so, under either of them, whether the server does.
        if (call.command().containsKey("helloOk")) {
            reply.put("helloOk", true);
        }
        if (server.config().isRouter()) {
            reply.put("msg", "isdbgrid");
        } else if (server.config().isReplicaSet()) {
            putReplicaSet(reply, server);
        }
        reply.append("maxBsonObjectSize", BsonSize.MAX_DOCUMENT)
                .append("maxMessageSizeBytes", MAX_MESSAGE)
                .append("maxWriteBatchSize", MAX_BATCH)
                .append("localTime", server.clock().instant())
                .append("logicalSessionTimeoutMinutes", Parameters.SESSION_TIMEOUT_MINUTES)
                .append("connectionId", call.connection().id())
                .append("minWireVersion", 0)
                .append("maxWireVersion", server.config().maxWireVersion())
                .append("readOnly", false);
        return reply;
    }

    private static void introduce(ClientConnection connection, Document command) {
        boolean isFirst = connection.seeHandshake();
        if (!command.containsKey("client")) {
            return;
        }
        if (!isFirst) {
            throw new CommandError(
                    METADATA_CANNOT_BE_MUTATED, "The client metadata document may only be sent in the first hello");
        }
        if (!(command.get("client") instanceof Document client)) {
            throw CommandError.typeMismatch("The client metadata document must be a document");
        }
        connection.introduce(client);
    }

    // Answers at once if the client knows another state than the present one, else when it changes or the time is over.
    private static void awaitChange(Call call) {
        Document command = call.command();
        boolean isWaiting = command.containsKey("topologyVersion");
        if (isWaiting != command.containsKey("maxAwaitTimeMS")) {
            throw new CommandError(
                    INCOMPLETE_WAIT,
                    isWaiting
                            ? "A request with a 'topologyVersion' must include 'maxAwaitTimeMS'"
                            : "A request with 'maxAwaitTimeMS' must include a 'topologyVersion'");
        }
        if (!isWaiting) {
            return;
        }
        Fields version =
                Fields.ofStatement(command.get("topologyVersion"), "topologyVersion", Set.of("processId", "counter"));
        long counter = version.count("counter", 0);
        TopologyState topology = call.server().topology();
        boolean isCurrent = topology.process().equals(version.required("processId")) && counter == topology.counter();
        if (isCurrent) {
            long now = call.server().now();
            long millis = Admission.timeLimit(command.get("maxAwaitTimeMS"));
            long until = call.progress(Long.class, () -> now + millis);
            if (now < until && !call.isWaitOver()) {
                throw Park.forEventUntil(() -> topology.counter() != counter, until);
            }
        }
    }

    private static void putReplicaSet(Document reply, Server server) {
        String host = server.config().host();
        Document last = new Document("opTime", server.opTime())
                .append(
                        "lastWriteDate",
                        Instant.ofEpochSecond(Integer.toUnsignedLong(
                                server.store().oplog().last().getTime())));
        last.append("majorityOpTime", last.get("opTime")).append("majorityWriteDate", last.get("lastWriteDate"));
        reply.append("hosts", List.of(host))
                .append("setName", ServerConfig.SET_NAME)
                .append("setVersion", 1)
                .append("secondary", server.topology().state() == TopologyState.State.SECONDARY);
        if (server.topology().isPrimary()) {
            reply.append("primary", host).append("electionId", server.electionId());
        }
        reply.append("me", host).append("lastWrite", last);
    }
}
