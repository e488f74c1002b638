package org.mongolocks.proxy;

import java.io.IOException;

/** Says what becomes of a request and of its reply. What a fault does not speak of passes. */
public interface WireFault {
    /** Gets a request that was caught. */
    default void onRequest(Exchange exchange) throws IOException {
        exchange.forward();
    }

    /** Gets the server's reply to a request that was caught and forwarded. */
    default void onReply(Exchange exchange) throws IOException {
        exchange.deliver();
    }

    /** Lets everything pass, for those who want to watch. */
    static WireFault none() {
        return new WireFault() {};
    }

    /** Closes the connection before the request gets to the server. */
    static WireFault loseRequest() {
        return new WireFault() {
            @Override
            public void onRequest(Exchange exchange) {
                exchange.cut();
            }
        };
    }

    /** Closes the connection when the server has executed the request, instead of the reply. */
    static WireFault loseReply() {
        return new WireFault() {
            @Override
            public void onReply(Exchange exchange) {
                exchange.cut();
            }
        };
    }

    /** Sends the request on, and resets the connection at once. */
    static WireFault reset() {
        return new WireFault() {
            @Override
            public void onRequest(Exchange exchange) throws IOException {
                exchange.forward();
                exchange.reset();
            }

            @Override
            public void onReply(Exchange exchange) {
                exchange.cut();
            }
        };
    }

    /** Keeps the request until the trap is released. It gets to the server then, also if its sender has gone. */
    static WireFault holdRequest() {
        return new WireFault() {
            @Override
            public void onRequest(Exchange exchange) throws IOException {
                exchange.holdUntilReleased(exchange::forward);
            }
        };
    }

    /** Closes the connection, and keeps the request until the trap is released: it comes late. */
    static WireFault delay() {
        return new WireFault() {
            @Override
            public void onRequest(Exchange exchange) throws IOException {
                exchange.hangUp();
                exchange.holdUntilReleased(exchange::forward);
            }
        };
    }

    /** Keeps the reply until the trap is released, and lets another fault have it then. */
    static WireFault holdReply(WireFault then) {
        return new WireFault() {
            @Override
            public void onRequest(Exchange exchange) throws IOException {
                then.onRequest(exchange);
            }

            @Override
            public void onReply(Exchange exchange) throws IOException {
                exchange.holdUntilReleased(() -> then.onReply(exchange));
            }
        };
    }

    /** Answers with an error without asking the server. */
    static WireFault refuse(int code) {
        return new WireFault() {
            @Override
            public void onRequest(Exchange exchange) {
                exchange.refuse(code);
            }
        };
    }

    /** The server execute the request, and answers with an error instead of its reply. */
    static WireFault failAfterwards(int code) {
        return new WireFault() {
            @Override
            public void onReply(Exchange exchange) {
                exchange.refuse(code);
            }
        };
    }

    /** The server execute the request, and adds to its reply that it may not last. */
    static WireFault doubtDurability(int code) {
        return new WireFault() {
            @Override
            public void onReply(Exchange exchange) {
                exchange.doubt(code);
            }
        };
    }
}
