package org.mongolocks.doctor;

import de.bwaldvogel.mongo.MongoBackend;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Collection;
import java.util.function.Function;
import java.util.function.Predicate;
import org.mongolocks.embedded.EmbeddedMongo;

/** A server that is almost MongoDB: an embedded one, some of whose commands a test answers. */
final class LookAlike implements AutoCloseable {
    private final MongoServer server;

    private LookAlike(MongoServer server) {
        this.server = server;
    }

    /** The reply to a command, by the test or by the server. */
    interface Behavior {
        Document answer(Document command, Function<Document, Document> server);

        /** Returns a behavior that refuses certain commands. */
        static Behavior refusing(int code, String message, Predicate<Document> refused) {
            return (command, server) -> refused.test(command) ? refusal(code, message) : server.apply(command);
        }

        /** Returns a behavior whose commands go to another one, unless this one answers them itself. */
        default Behavior over(Behavior next) {
            return (command, server) -> answer(command, passed -> next.answer(passed, server));
        }
    }

    static LookAlike start(Behavior behavior) throws IOException {
        int port = freePort();
        MongoBackend embedded = EmbeddedMongo.builder().port(port).backend();
        MongoServer server = new MongoServer((MongoBackend) Proxy.newProxyInstance(
                LookAlike.class.getClassLoader(), new Class<?>[] {MongoBackend.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("handleMessage")) {
                        MongoMessage message = (MongoMessage) arguments[0];
                        return behavior.answer(
                                message.getDocument(),
                                command -> embedded.handleMessage(
                                        new MongoMessage(message.getChannel(), message.getHeader(), command)));
                    }
                    try {
                        return method.invoke(embedded, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
        server.bind("127.0.0.1", port);
        return new LookAlike(server);
    }

    /** Returns the error of an unknown command. */
    static Document refusal(int code, String message) {
        return new Document("ok", 0.0)
                .append("errmsg", message)
                .append("code", code)
                .append("codeName", "LookAlike");
    }

    static boolean hasPipeline(Document command) {
        boolean inStatement = command.get("updates") instanceof Collection<?> updates
                && updates.stream().anyMatch(one -> ((Document) one).get("u") instanceof Collection);
        return inStatement || (command.containsKey("findAndModify") && command.get("update") instanceof Collection);
    }

    String uri() {
        return "mongodb://127.0.0.1:" + server.getLocalAddress().getPort() + "/?directConnection=true";
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
