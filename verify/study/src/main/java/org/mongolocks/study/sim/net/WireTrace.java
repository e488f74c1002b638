package org.mongolocks.study.sim.net;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Optional;
import org.mongolocks.study.sim.client.CommandExchange;

/** A listener for sent commands. There is none unless the commands of a run are requested. */
public interface WireTrace {
    /** Ignores the events of a sending. */
    Sending UNHEARD = new Sending() {};

    /** Ignores all commands. */
    WireTrace NOBODY = (client, grant, order, sending) -> UNHEARD;

    /** Called when a command is sent. */
    Sending sent(int client, int grant, CommandExchange.Order order, int sending);

    /** The listener for one sending; some of its methods are called, or none. */
    interface Sending {
        /** The request is in flight. */
        default void request(MessageFate fate) {}

        /** The server has received it. */
        default void executed() {}

        /** The server has replied; empty if it was down, or went down. */
        default void replied(Optional<Document> reply) {}

        /** The reply is in flight. */
        default void reply(MessageFate fate) {}

        /** The reply has reached the client, which may have stopped waiting. */
        default void received() {}

        /** The client gets an error instead. */
        default void givenUp() {}
    }
}
