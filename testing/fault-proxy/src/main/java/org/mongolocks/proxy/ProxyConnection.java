package org.mongolocks.proxy;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.BsonDocument;

/**
 * One connection of a driver. When the driver closes it, the connection to the server stays open until the intercepted
 * requests on it have been executed: a late request reaches the server on a connection without a client.
 */
final class ProxyConnection {
    /** The commands with which a driver opens a connection and monitors a server. */
    private static final Set<String> HELLO = Set.of("hello", "isMaster", "ismaster");

    private final Socket client;
    private final Socket server;
    private final FaultProxy proxy;
    private final Map<Integer, InterceptedCommand> open = new ConcurrentHashMap<>();
    /** The requests whose replies are delayed. */
    private final Set<Integer> slow = ConcurrentHashMap.newKeySet();

    private boolean clientGone;

    ProxyConnection(Socket client, Socket server, FaultProxy proxy) {
        this.client = client;
        this.server = server;
        this.proxy = proxy;
    }

    /** Forwards requests until the driver closes the connection. */
    void carryRequests() {
        try {
            carry(client, this::request);
        } finally {
            clientGone();
        }
    }

    /** Forwards replies until the server closes the connection. */
    void carryReplies() {
        try {
            carry(server, this::reply);
        } finally {
            close();
        }
    }

    void toServer(WireMessage message) throws IOException {
        send(server, message);
    }

    /**
     * Sends a reply, unless the driver has disconnected: it may disconnect between two bytes, while other exchanges are
     * still open.
     */
    void toClient(WireMessage message) {
        try {
            send(client, message);
        } catch (IOException e) {
            cut();
        }
    }

    /** Closes the connection to the driver. */
    void cut() {
        close(client);
    }

    /** Resets the connection to the driver. */
    void reset() throws IOException {
        client.setSoLinger(true, 0);
        client.close();
    }

    /** Counts a state change of the server, and returns its new version, if a server like this has one. */
    Optional<BsonDocument> changeState() {
        return proxy.versions().next();
    }

    /** Records the end of an exchange. */
    void ended(InterceptedCommand exchange) {
        open.remove(exchange.id());
        closeIfDone();
    }

    /** Closes both connections. */
    void close() {
        close(client);
        close(server);
        proxy.closed(this);
    }

    private interface Carrier {
        void carry(WireMessage message) throws IOException;
    }

    /** When one side of a connection ends, the other side detects it on its own socket. */
    private void carry(Socket from, Carrier carrier) {
        try {
            InputStream in = new BufferedInputStream(from.getInputStream());
            Optional<WireMessage> next = WireMessage.read(in);
            while (next.isPresent()) {
                proxy.awaitThaw();
                carrier.carry(next.get());
                next = WireMessage.read(in);
            }
        } catch (IOException e) {
            return;
        }
    }

    private void request(WireMessage message) throws IOException {
        Optional<String> command = message.command();
        Optional<String> work = command.filter(name -> !HELLO.contains(name));
        if (message.isAnswered() && work.filter(proxy::isSlow).isPresent()) {
            slow.add(message.id());
        }
        Optional<FaultRule> trap = command.flatMap(proxy::trapFor);
        if (trap.isEmpty()) {
            toServer(proxy.versions().toServer(message));
            return;
        }
        InterceptedCommand exchange = new InterceptedCommand(this, trap.get(), message);
        open.put(exchange.id(), exchange);
        exchange.begin();
    }

    private void reply(WireMessage message) throws IOException {
        if (slow.remove(message.answers())) {
            proxy.later(() -> deliver(message));
        } else {
            deliver(message);
        }
    }

    private void deliver(WireMessage message) throws IOException {
        WireMessage seen = proxy.versions().toClient(message);
        InterceptedCommand exchange = open.get(message.answers());
        if (exchange == null) {
            toClient(seen);
        } else {
            exchange.replied(seen);
        }
    }

    private synchronized void clientGone() {
        clientGone = true;
        close(client);
        closeIfDone();
    }

    private synchronized void closeIfDone() {
        if (clientGone && open.isEmpty()) {
            close();
        }
    }

    private static void send(Socket to, WireMessage message) throws IOException {
        synchronized (to) {
            to.getOutputStream().write(message.bytes());
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            return;
        }
    }
}
