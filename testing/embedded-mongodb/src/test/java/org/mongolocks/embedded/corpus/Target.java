package org.mongolocks.embedded.corpus;

import java.time.Duration;
import org.bson.BsonDocument;

/** A server that scenarios are replayed against. */
interface Target extends AutoCloseable {
    /** The reply to a command that is answered at once, or {@code {$connection: "closed"}}. */
    BsonDocument run(String connection, String db, BsonDocument command);

    /** Lets time pass. */
    void advance(Duration duration);

    @Override
    void close();
}
