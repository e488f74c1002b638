package org.mongolocks.study.exhaustive;

import org.bson.BsonDocument;

/** What a client learns, and when. A client is a function of its inputs. */
sealed interface ClientInput {
    /** Returns the time on the clock of the client, in milliseconds. */
    long millis();

    /** It begins its next action, or goes on after a pause. */
    record Proceed(long millis) implements ClientInput {}

    /** Its command is answered. */
    record Answer(long millis, Digested<BsonDocument> reply) implements ClientInput {}

    /** Its connection has broken. */
    record Reset(long millis) implements ClientInput {}

    /** Its command has timed out. */
    record Timeout(long millis) implements ClientInput {}
}
