package org.mongolocks.study.exhaustive;

import java.nio.ByteBuffer;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * One client at one moment; immutable.
 *
 * @param point how far it is
 * @param delivery where its command is
 * @param reply the reply that is under way to it
 * @param since the moment from which a reply or a turn waits
 * @param floor the largest token that was granted before the first command of its newest acquisition arrived, or was given up
 */
record ClientState(
        ProgramPoint point, Delivery delivery, @Nullable Digested<BsonDocument> reply, int since, long floor) {
    static final int BYTES = 2 * 16 + 4 + 1 + 8;

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
        /** The client has crashed. */
        CRASHED
    }

    ClientView view() {
        return point.view();
    }

    boolean isLive() {
        return delivery != Delivery.CRASHED && !view().isOver();
    }

    ClientState with(Delivery now, @Nullable Digested<BsonDocument> itsReply, int moment) {
        return new ClientState(point, now, itsReply, moment, floor);
    }

    /** Returns this client, whose acquisition begins now. */
    ClientState beginning(long newestToken) {
        return new ClientState(point, delivery, reply, since, newestToken);
    }

    /** Appends what makes a difference later. */
    void append(ByteBuffer bytes, int moment) {
        if (isLive()) {
            Digested.append(bytes, point.memory());
            Digested.append(bytes, reply);
            bytes.putInt(delivery.name().hashCode());
            bytes.put((byte) (since > moment ? 1 : 0));
            bytes.putLong(view().isBeginning() ? 0 : floor);
        } else {
            bytes.putInt(delivery == Delivery.CRASHED ? 1 : view().granted() == view().begun() ? 2 : 3);
        }
    }
}
