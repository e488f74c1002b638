package org.mongolocks.embedded.internal.state;

import de.bwaldvogel.mongo.bson.Document;

/** A connection of a client: its metadata, and whether it is still open. */
public final class ClientConnection {
    private final int id;
    private String appName = "";
    private boolean hadHandshake;
    private boolean isOpen = true;

    public ClientConnection(int id) {
        this.id = id;
    }

    public int id() {
        return id;
    }

    public String appName() {
        return appName;
    }

    /** Notes that there was a handshake; whether it was the first. */
    public boolean seeHandshake() {
        boolean isFirst = !hadHandshake;
        hadHandshake = true;
        return isFirst;
    }

    /** Takes over the name of the application from a handshake. */
    public void introduce(Document client) {
        if (client.get("application") instanceof Document application
                && application.get("name") instanceof String name) {
            appName = name;
        }
    }

    public boolean isOpen() {
        return isOpen;
    }

    public void close() {
        isOpen = false;
    }
}
