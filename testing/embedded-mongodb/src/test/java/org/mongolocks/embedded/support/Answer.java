package org.mongolocks.embedded.support;

import de.bwaldvogel.mongo.bson.Document;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.ReplyHandler;

/** The answer to a command, once there is one. */
public final class Answer implements ReplyHandler {
    private @Nullable BsonDocument reply;
    private boolean isClosed;

    @Override
    public void reply(Document document) {
        requirePending();
        reply = Bson.toDriver(document);
    }

    @Override
    public void connectionClosed() {
        requirePending();
        isClosed = true;
    }

    private void requirePending() {
        if (!isPending()) {
            throw new AssertionError("answered twice");
        }
    }

    public boolean isPending() {
        return reply == null && !isClosed;
    }

    public boolean isClosed() {
        return isClosed;
    }

    public BsonDocument reply() {
        if (reply == null) {
            throw new AssertionError(isClosed ? "the connection was closed" : "the command waits");
        }
        return reply;
    }
}
