package org.mongolocks.study.exhaustive;

import java.util.UUID;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * One client at one moment; immutable.
 *
 * @param inputs what it has learned, from which it can be built again; null if nothing
 * @param memory what it remembers: two clients with the same one go on alike
 * @param view what the world sees of it
 * @param delivery where its command is
 * @param reply the reply that is under way to it
 * @param since the moment from which a reply or a turn waits
 * @param floor the largest token that was granted before its newest acquisition began
 */
record ClientState(
        @Nullable Chain<ClientInput> inputs,
        UUID memory,
        ClientView view,
        Delivery delivery,
        @Nullable BsonDocument reply,
        int since,
        long floor) {
    /** Where a command is. */
    enum Delivery {
        /** There is none, or the client is over. */
        NONE,
        /** The request is under way. */
        SENT,
        /** It was executed, and its reply waits for a majority. */
        LAGGING,
        /** The reply is under way. */
        ANSWERED,
        /** The client has ended. */
        CRASHED
    }

    boolean isLive() {
        return delivery != Delivery.CRASHED && !view.isOver();
    }

    ClientState with(Delivery now, @Nullable BsonDocument itsReply, int moment) {
        return new ClientState(inputs, memory, view, now, itsReply, moment, floor);
    }

    void appendTo(StringBuilder text) {
        text.append('\n').append(memory).append(delivery).append(since).append(floor);
        if (reply != null && delivery != Delivery.NONE) {
            text.append(reply);
        }
    }
}
