package org.mongolocks.embedded.internal.engine;

import de.bwaldvogel.mongo.bson.Document;
import java.util.function.Consumer;

/**
 * Takes the answer to a command: one of the two is called, once.
 *
 * @param reply takes the reply
 * @param connectionClosed is run if the server closes the connection in the place of an answer
 */
public record Recipient(Consumer<Document> reply, Runnable connectionClosed) {
    /** Passes the reply on. */
    public void reply(Document document) {
        reply.accept(document);
    }

    /** Says that there will be no reply. */
    public void close() {
        connectionClosed.run();
    }
}
