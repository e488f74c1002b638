package org.mongolocks.embedded.internal.wire;

import de.bwaldvogel.mongo.MongoBackend;
import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.QueryResult;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerException;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import de.bwaldvogel.mongo.wire.message.MongoQuery;
import io.netty.channel.Channel;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.mongolocks.embedded.internal.engine.Recipient;
import org.mongolocks.embedded.internal.state.ClientConnection;

/**
 * The engine as a backend of mongo-java-server, for those who run its {@code MongoServer} themselves. A command that must wait keeps the
 * thread that it came with.
 */
public final class EngineBackend implements MongoBackend {
    private final SharedEngine engine;
    private final Map<Channel, ClientConnection> connections = new ConcurrentHashMap<>();

    public EngineBackend(SharedEngine engine) {
        this.engine = engine;
    }

    @Override
    public Document handleMessage(MongoMessage message) {
        return answer(message.getChannel(), message.getDocument());
    }

    @Override
    public Document handleCommand(Channel channel, String database, String command, Document query) {
        Document withDatabase = query.clone();
        withDatabase.put("$db", database);
        return answer(channel, withDatabase);
    }

    private Document answer(Channel channel, Document command) {
        CompletableFuture<Document> answer = new CompletableFuture<>();
        ClientConnection connection = connections.computeIfAbsent(channel, unknown -> engine.connect());
        Consumer<Document> reply = document -> {
            // Without it no client asks to wait for a change, which would keep a thread of the library.
            document.remove("topologyVersion");
            answer.complete(document);
        };
        engine.submit(connection, command, new Recipient(reply, () -> {
            channel.close().addListener(closed -> handleClose(channel));
            refuse(answer);
        }));
        return answer.join();
    }

    @Override
    public void handleClose(Channel channel) {
        ClientConnection connection = connections.remove(channel);
        if (connection != null) {
            engine.disconnect(connection);
        }
    }

    @Override
    public QueryResult handleQuery(MongoQuery query) {
        throw new MongoServerException("only commands are supported by the embedded server");
    }

    @Override
    public void dropDatabase(String database) {
        command(new Document("dropDatabase", 1), database);
    }

    private Document command(Document command, String database) {
        CompletableFuture<Document> answer = new CompletableFuture<>();
        command.put("$db", database);
        engine.submit(engine.connect(), command, new Recipient(answer::complete, () -> refuse(answer)));
        return answer.join();
    }

    private static void refuse(CompletableFuture<Document> answer) {
        answer.completeExceptionally(new MongoServerException("the connection is closed"));
    }

    @Override
    public Collection<Document> getCurrentOperations(MongoQuery query) {
        return List.of();
    }

    @Override
    public Document getServerStatus() {
        return command(new Document("serverStatus", 1), "admin");
    }

    @Override
    public void close() {
        engine.close();
    }

    @Override
    public void closeCursors(List<Long> cursorIds) {
        engine.closeCursors(cursorIds);
    }

    @Override
    public Clock getClock() {
        return engine.config().clock().withZone(ZoneOffset.UTC);
    }

    @Override
    public void enableOplog() {
        if (!engine.config().isReplicaSet()) {
            throw new IllegalStateException("a standalone server has no oplog");
        }
    }

    @Override
    public void disableOplog() {
        if (engine.config().isReplicaSet()) {
            throw new IllegalStateException("a replica set does not go without its oplog");
        }
    }

    @Override
    public MongoDatabase resolveDatabase(String database) {
        throw new IllegalStateException("the databases of this server are reached by commands only");
    }

    @Override
    public MongoBackend version(MongoVersion version) {
        throw new IllegalStateException("the builder sets the version of this server, not " + version);
    }
}
