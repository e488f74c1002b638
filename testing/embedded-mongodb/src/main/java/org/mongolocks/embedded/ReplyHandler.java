package org.mongolocks.embedded;

import de.bwaldvogel.mongo.bson.Document;

/**
 * Takes the answer to a command that was submitted to a {@link MongoEngine}.
 *
 * <p>One of the two methods is called, once: before {@code submit} returns, or later, from within another call of the engine. A handler may
 * submit further commands; they run after it has returned.
 */
public interface ReplyHandler {
    /**
     * The command was answered.
     *
     * @param reply the reply, which belongs to the engine in parts and must not be changed
     */
    void reply(Document reply);

    /** The server closed the connection instead of answering, as a fail point had asked it to. The command may have been executed. */
    void connectionClosed();
}
