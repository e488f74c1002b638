package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.bson.ObjectId;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import org.mongolocks.embedded.internal.bson.BsonSize;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.ClientConnection;
import org.mongolocks.embedded.internal.engine.Server;
import org.mongolocks.embedded.internal.engine.ServerConfig;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** isMaster: what a driver wants to know before it does anything else. */
final class HandshakeCommand {
    private static final int MAX_MESSAGE = 48_000_000;
    private static final int MAX_BATCH = 100_000;
    private static final int WIRE_VERSION_OF_4_4 = 9;
    private static final int METADATA_CANNOT_BE_MUTATED = 186;

    private HandshakeCommand() {}

    static Document run(Call call) {
        introduce(call.connection(), call.command());
        Server server = call.server();
        Document reply = new Document("ismaster", true);
        if (server.config().isReplicaSet()) {
            putReplicaSet(reply, server);
        }
        reply.append("maxBsonObjectSize", BsonSize.MAX_DOCUMENT)
                .append("maxMessageSizeBytes", MAX_MESSAGE)
                .append("maxWriteBatchSize", MAX_BATCH)
                .append("localTime", server.clock().instant())
                .append("logicalSessionTimeoutMinutes", server.parameters().get("localLogicalSessionTimeoutMinutes"))
                .append("connectionId", call.connection().id())
                .append("minWireVersion", 0)
                .append("maxWireVersion", WIRE_VERSION_OF_4_4)
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
                    METADATA_CANNOT_BE_MUTATED, "The client metadata document may only be sent in the first isMaster");
        }
        if (!(command.get("client") instanceof Document client)) {
            throw new CommandError(ErrorCode.TYPE_MISMATCH, "The client metadata document must be a document");
        }
        connection.introduce(client);
    }

    private static void putReplicaSet(Document reply, Server server) {
        String host = server.config().host();
        Document last = new Document("opTime", opTime(server))
                .append(
                        "lastWriteDate",
                        Instant.ofEpochSecond(Integer.toUnsignedLong(
                                server.store().oplog().last().getTime())));
        last.append("majorityOpTime", last.get("opTime")).append("majorityWriteDate", last.get("lastWriteDate"));
        reply.append("hosts", List.of(host))
                .append("setName", ServerConfig.SET_NAME)
                .append("setVersion", 1)
                .append("secondary", false)
                .append("primary", host)
                .append("me", host)
                .append("electionId", electionId(server.term()))
                .append("lastWrite", last);
    }

    private static Document opTime(Server server) {
        return new Document("ts", server.store().oplog().last()).append("t", (long) server.term());
    }

    // Grows with each election, so that drivers tell an old primary from a new one.
    private static ObjectId electionId(int term) {
        return new ObjectId(
                ByteBuffer.allocate(12).putInt(0x7fffffff).putLong(term).array());
    }
}
