package org.mongolocks.doctor;

import de.bwaldvogel.mongo.MongoBackend;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;
import org.mongolocks.embedded.MongoEngine;
import org.mongolocks.embedded.ReplyHandler;

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

    static LookAlike start(Behavior behavior) {
        MongoEngine engine = MongoEngine.builder().build();
        MongoServer server = new MongoServer((MongoBackend) Proxy.newProxyInstance(
                LookAlike.class.getClassLoader(), new Class<?>[] {MongoBackend.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("handleMessage")) {
                        Document command = ((MongoMessage) arguments[0]).getDocument();
                        return behavior.answer(command, passed -> answer(engine, passed));
                    }
                    // The first hello of a driver comes in the older protocol.
                    return method.getName().equals("handleCommand")
                            ? answer(engine, ((Document) arguments[3]).clone().append("$db", arguments[1]))
                            : null;
                }));
        server.bind();
        return new LookAlike(server);
    }

    private static Document answer(MongoEngine engine, Document command) {
        CompletableFuture<Document> reply = new CompletableFuture<>();
        synchronized (engine) {
            engine.submit(engine.connect(), command, new ReplyHandler() {
                @Override
                public void reply(Document document) {
                    // Without it no client asks to wait for a change, which would keep a thread of the server.
                    document.remove("topologyVersion");
                    reply.complete(document);
                }

                @Override
                public void connectionClosed() {
                    reply.completeExceptionally(new IllegalStateException("the connection is closed"));
                }
            });
        }
        while (!reply.isDone()) {
            LockSupport.parkNanos(1_000_000);
            synchronized (engine) {
                engine.runDue();
            }
        }
        return reply.join();
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
}
