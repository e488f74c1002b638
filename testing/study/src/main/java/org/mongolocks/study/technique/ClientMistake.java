package org.mongolocks.study.technique;

import java.time.Duration;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.study.sim.net.Network.Purpose;

/** A mistake of simulated clients, in their port to the driver: a test shows that it is found. */
public interface ClientMistake {
    /** No mistake. */
    ClientMistake NONE = new ClientMistake() {};

    /**
     * Returns the operation that is sent in the place of another.
     *
     * @param clockMillis the time on the wall clock of the client
     */
    default MongoOp sent(Purpose purpose, MongoOp op, long clockMillis) {
        return op;
    }

    /** Returns the reply that the client gets in the place of another. */
    default Reply received(Purpose purpose, MongoOp op, Reply reply) {
        return reply;
    }

    /**
     * Returns how long a pause lasts in the place of another.
     *
     * @param isWaiting whether an event may end it earlier
     */
    default Duration pause(Duration delay, boolean isWaiting) {
        return delay;
    }

    /** Returns the owner of a reentrant acquisition in the place of another. */
    default int owner(int owner) {
        return owner;
    }
}
