package org.mongolocks.proxy;

import java.io.IOException;

/** The effect of a fault on a request and on its reply. By default both pass. */
public interface WireFault {
    /** Handles an intercepted request. */
    default void onRequest(InterceptedCommand exchange) throws IOException {
        exchange.forward();
    }

    /** Handles the server's reply to an intercepted request that was forwarded. */
    default void onReply(InterceptedCommand exchange) throws IOException {
        exchange.deliver();
    }

    /** Lets everything pass, to observe the messages. */
    static WireFault none() {
        return new WireFault() {};
    }

    /** Closes the connection before the request reaches the server. */
    static WireFault loseRequest() {
        return new WireFault() {
            @Override
            public void onRequest(InterceptedCommand exchange) {
                exchange.cut();
            }
        };
    }

    /** Closes the connection instead of sending the reply, after the server has executed the request. */
    static WireFault loseReply() {
        return new WireFault() {
            @Override
            public void onReply(InterceptedCommand exchange) {
                exchange.cut();
            }
        };
    }

    /** Forwards the request, and resets the connection at once. */
    static WireFault reset() {
        return new WireFault() {
            @Override
            public void onRequest(InterceptedCommand exchange) throws IOException {
                exchange.forward();
                exchange.reset();
            }

            @Override
            public void onReply(InterceptedCommand exchange) {
                exchange.cut();
            }
        };
    }

    /**
     * Holds the request until the trap is released. It is then sent to the server, also if the client has disconnected.
     */
    static WireFault holdRequest() {
        return new WireFault() {
            @Override
            public void onRequest(InterceptedCommand exchange) throws IOException {
                exchange.holdUntilReleased(exchange::forward);
            }
        };
    }

    /** Closes the connection, and holds the request until the trap is released: it is executed late. */
    static WireFault delay() {
        return new WireFault() {
            @Override
            public void onRequest(InterceptedCommand exchange) throws IOException {
                exchange.hangUp();
                exchange.holdUntilReleased(exchange::forward);
            }
        };
    }

    /** Holds the reply until the trap is released, and then applies another fault to it. */
    static WireFault holdReply(WireFault then) {
        return new WireFault() {
            @Override
            public void onRequest(InterceptedCommand exchange) throws IOException {
                then.onRequest(exchange);
            }

            @Override
            public void onReply(InterceptedCommand exchange) throws IOException {
                exchange.holdUntilReleased(() -> then.onReply(exchange));
            }
        };
    }

    /** Replies with an error without forwarding the request. */
    static WireFault refuse(int code) {
        return new WireFault() {
            @Override
            public void onRequest(InterceptedCommand exchange) {
                exchange.refuse(code);
            }
        };
    }

    /** Forwards the request, and replies with an error instead of the server's reply. */
    static WireFault failAfterwards(int code) {
        return new WireFault() {
            @Override
            public void onReply(InterceptedCommand exchange) {
                exchange.refuse(code);
            }
        };
    }

    /** Forwards the request, and adds to its reply an error that the write may not be durable. */
    static WireFault failWriteConcern(int code) {
        return new WireFault() {
            @Override
            public void onReply(InterceptedCommand exchange) {
                exchange.failWriteConcern(code);
            }
        };
    }
}
