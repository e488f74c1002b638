package org.mongolocks.embedded.internal.admin;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.bson.ObjectId;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.mongolocks.embedded.internal.bson.BsonSize;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Fields;
import org.mongolocks.embedded.internal.engine.Park;
import org.mongolocks.embedded.internal.engine.Server;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.state.Parameters;
import org.mongolocks.embedded.internal.state.ClientConnection;
import org.mongolocks.embedded.internal.state.ServerConfig;
import org.mongolocks.embedded.internal.state.TopologyState;

/** {@code hello} and {@code isMaster}: the state of the server, which a driver requests first, and then each time it changes. */
public final class HandshakeCommand {
    private static final int MAX_MESSAGE = 48_000_000;
    private static final int MAX_BATCH = 100_000;
    private static final int METADATA_CANNOT_BE_MUTATED = 186;
    private static final int INCOMPLETE_WAIT = 31368;
    private static final int NEGATIVE_COUNTER = 31372;
    private static final int NEGATIVE_WAIT = 31373;
    private static final int NEWER_THAN_SERVER = 31382;
    private static final int NEWER_THAN_STANDALONE = 51764;

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
        long counter = counter(command);
        long now = call.server().now();
        long millis = awaitMillis(command);
        if (isCurrent(call.server(), process(command), counter)) {
            long until = call.progress(Long.class, () -> now + millis);
            if (now < until && !call.isWaitOver()) {
                TopologyState topology = call.server().topology();
                throw Park.forEventUntil(() -> topology.counter() != counter, until);
            }
        }
    }

    private static boolean isCurrent(Server server, ObjectId process, long counter) {
        TopologyState topology = server.topology();
        if (!process.equals(topology.process())) {
            return false;
        }
        if (counter > topology.counter()) {
            throw new CommandError(
                    server.config().isReplicaSet() ? NEWER_THAN_SERVER : NEWER_THAN_STANDALONE,
                    "Received a topology version with counter: " + counter
                            + " which is greater than the server topology version counter: " + topology.counter());
        }
        return counter == topology.counter();
    }

    private static ObjectId process(Document command) {
        if (version(command).required("processId") instanceof ObjectId process) {
            return process;
        }
        throw CommandError.typeMismatch("BSON field 'topologyVersion.processId' must be an objectId");
    }

    private static long counter(Document command) {
        if (!(version(command).required("counter") instanceof Long counter)) {
            throw CommandError.typeMismatch("BSON field 'topologyVersion.counter' must be a long");
        }
        if (counter < 0) {
            throw new CommandError(NEGATIVE_COUNTER, "topologyVersion must have a non-negative counter");
        }
        return counter;
    }

    private static Fields version(Document command) {
        return Fields.ofStatement(command.get("topologyVersion"), "topologyVersion", Set.of("processId", "counter"));
    }

    private static long awaitMillis(Document command) {
        if (!(command.get("maxAwaitTimeMS") instanceof Number millis)) {
            throw CommandError.typeMismatch("\"maxAwaitTimeMS\" had the wrong type. Expected number");
        }
        if (Numbers.whole(millis) < 0) {
            throw new CommandError(NEGATIVE_WAIT, "maxAwaitTimeMS must be a non-negative integer");
        }
        return Math.min(Numbers.whole(millis), Integer.MAX_VALUE);
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
