package org.mongolocks.proxy;

import java.io.IOException;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** One intercepted request, and the server's reply to it. */
public final class InterceptedCommand {
    private final ProxyConnection link;
    private final FaultRule trap;
    private final WireMessage request;
    private volatile @Nullable WireMessage reply;

    InterceptedCommand(ProxyConnection link, FaultRule trap, WireMessage request) {
        this.link = link;
        this.trap = trap;
        this.request = request;
    }

    /** An action that runs later. */
    @FunctionalInterface
    interface Sequel {
        void run() throws IOException;
    }

    /** Returns the command. */
    public BsonDocument request() {
        return request.body().orElseThrow();
    }

    /** Returns the server's reply. */
    public BsonDocument reply() {
        return replied().body().orElseThrow();
    }

    /** Sends the request to the server, also if the client has disconnected. */
    void forward() throws IOException {
        link.toServer(request);
        if (!request.isAnswered()) {
            link.ended(this);
        }
    }

    /** Sends the server's reply to the client. */
    void deliver() {
        deliver(replied());
    }

    /** Sends another reply to the client, unless it expects none. */
    private void answer(BsonDocument body) {
        if (request.isAnswered()) {
            WireMessage real = reply;
            deliver(real == null ? WireMessage.answering(request, body) : real.with(body));
        } else {
            link.ended(this);
        }
    }

    /** Replies with the error of a server that has not executed the request, or does not report whether it has. */
    void refuse(int code) {
        answer(versioned(code, ErrorReply.refusal(code, request())));
    }

    /** Sends the server's reply with an error that the write may not be durable. */
    void failWriteConcern(int code) {
        answer(versioned(code, ErrorReply.failWriteConcern(code, request(), reply())));
    }

    private BsonDocument versioned(int code, BsonDocument body) {
        if (ErrorReply.isVersioned(code)) {
            link.changeState().ifPresent(version -> body.append("topologyVersion", version));
        }
        return body;
    }

    /** Closes the connection to the client. */
    void cut() {
        link.cut();
        link.ended(this);
    }

    /** Closes the connection to the client; the rest of the exchange continues. */
    void hangUp() {
        link.cut();
    }

    /** Resets the connection to the client; the server's reply is still awaited. */
    void reset() throws IOException {
        link.reset();
    }

    /** Runs the rest when the trap is released, or at once if it is. */
    void holdUntilReleased(Sequel sequel) throws IOException {
        trap.hold(sequel);
    }

    void begin() throws IOException {
        trap.caught(this);
        trap.fault().onRequest(this);
    }

    void replied(WireMessage message) throws IOException {
        reply = message;
        trap.answered(this);
        trap.fault().onReply(this);
    }

    int id() {
        return request.id();
    }

    private void deliver(WireMessage message) {
        link.toClient(message);
        link.ended(this);
    }

    private WireMessage replied() {
        WireMessage message = reply;
        if (message == null) {
            throw new IllegalStateException(
                    "The server has not replied to " + request.command().orElse("?"));
        }
        return message;
    }
}
