package org.mongolocks.proxy;

import java.io.IOException;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** One request that was caught, and the server's reply to it. */
public final class Exchange {
    private final Link link;
    private final Trap trap;
    private final Message request;
    private volatile @Nullable Message reply;

    Exchange(Link link, Trap trap, Message request) {
        this.link = link;
        this.trap = trap;
        this.request = request;
    }

    /** Does something later. */
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

    /** Sends the request to the server, also if its sender has gone. */
    void forward() throws IOException {
        link.toServer(request);
        if (!request.isAnswered()) {
            link.ended(this);
        }
    }

    /** Returns the sender the server's reply. */
    void deliver() {
        deliver(replied());
    }

    /** Returns the sender another answer, unless it awaits none. */
    private void answer(BsonDocument body) {
        if (request.isAnswered()) {
            Message real = reply;
            deliver(real == null ? Message.answering(request, body) : real.with(body));
        } else {
            link.ended(this);
        }
    }

    /** Refuses the request, as a server does that has not executed it, or does not say whether it has. */
    void refuse(int code) {
        answer(versioned(code, ServerError.refusal(code, request())));
    }

    /** Returns the sender the server's reply, and says that what was done may not last. */
    void doubt(int code) {
        answer(versioned(code, ServerError.doubt(code, request(), reply())));
    }

    private BsonDocument versioned(int code, BsonDocument body) {
        if (ServerError.isVersioned(code)) {
            link.changeState().ifPresent(version -> body.append("topologyVersion", version));
        }
        return body;
    }

    /** Closes the connection to the sender. */
    void cut() {
        link.cut();
        link.ended(this);
    }

    /** Closes the connection to the sender; the rest of the exchange goes on. */
    void hangUp() {
        link.cut();
    }

    /** Resets the connection to the sender; the server's reply is awaited nevertheless. */
    void reset() throws IOException {
        link.reset();
    }

    /** Does the rest when the trap is released, or at once if it is. */
    void holdUntilReleased(Sequel sequel) throws IOException {
        trap.hold(sequel);
    }

    void begin() throws IOException {
        trap.caught(this);
        trap.fault().onRequest(this);
    }

    void replied(Message message) throws IOException {
        reply = message;
        trap.answered(this);
        trap.fault().onReply(this);
    }

    int id() {
        return request.id();
    }

    private void deliver(Message message) {
        link.toClient(message);
        link.ended(this);
    }

    private Message replied() {
        Message message = reply;
        if (message == null) {
            throw new IllegalStateException(
                    "The server has not replied to " + request.command().orElse("?"));
        }
        return message;
    }
}
