package org.mongolocks.embedded;

import org.mongolocks.embedded.internal.state.ClientConnection;

/**
 * A connection of a client to a {@link MongoEngine}, the source of commands. It matters for fail points that pick a
 * client by its name, which the client sends in an {@code isMaster} command.
 */
public final class MongoConnection {
    private final ClientConnection connection;

    MongoConnection(ClientConnection connection) {
        this.connection = connection;
    }

    ClientConnection internal() {
        return connection;
    }
}
