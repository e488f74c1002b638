package org.mongolocks.study.simulation;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Optional;

/** Is told of what is sent. Nobody listens unless the commands of a run are asked for. */
interface WireTrace {
    /** Nobody hears of it. */
    Sending UNHEARD = new Sending() {};

    /** Nobody listens. */
    WireTrace NOBODY = (client, grant, order, sending) -> UNHEARD;

    /** A command is sent. */
    Sending sent(int client, int grant, Exchange.Order order, int sending);

    /** Is told what becomes of one sending; of most of this some or nothing happens. */
    interface Sending {
        /** The request is on its way. */
        default void request(Fate fate) {}

        /** The server has it. */
        default void executed() {}

        /** The server has replied; nothing if it was not there, or went away. */
        default void replied(Optional<Document> reply) {}

        /** The reply is on its way. */
        default void reply(Fate fate) {}

        /** The reply is at the client, which may wait for it no more. */
        default void heard() {}

        /** The client sees an error instead. */
        default void givenUp() {}
    }
}
