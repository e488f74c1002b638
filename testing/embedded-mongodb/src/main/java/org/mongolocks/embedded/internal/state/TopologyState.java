package org.mongolocks.embedded.internal.state;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.bson.ObjectId;

/**
 * The state of this server in its replica set, with a counter of its changes. Clients learn of a change by a waiting {@code isMaster}, or by
 * an error that carries the counter. A standalone server is always {@link State#PRIMARY}.
 */
public final class TopologyState {
    // A member that has just been set up has started, read its configuration and been elected.
    private static final long COUNTER_OF_NEW_PRIMARY = 6;

    private final ObjectId process;
    private State state = State.PRIMARY;
    private long counter;
    private long electableAt = Long.MAX_VALUE;

    /** PRIMARY &rarr; STEPPING_DOWN &rarr; SECONDARY &rarr; PRIMARY; each arrow adds one to the counter. */
    public enum State {
        /** Takes writes. */
        PRIMARY,
        /** Takes no more writes; those under way are being interrupted. */
        STEPPING_DOWN,
        /** Is read by clients that allow it. */
        SECONDARY
    }

    public TopologyState(ObjectId process, boolean isReplicaSet) {
        this.process = process;
        this.counter = isReplicaSet ? COUNTER_OF_NEW_PRIMARY : 0;
    }

    public State state() {
        return state;
    }

    public boolean isPrimary() {
        return state == State.PRIMARY;
    }

    public ObjectId process() {
        return process;
    }

    public long counter() {
        return counter;
    }

    /** The version as replies carry it. */
    public Document version() {
        return new Document("processId", process).append("counter", counter);
    }

    /** The time, in milliseconds, at which a server that stepped down stands for election again. */
    public long electableAt() {
        return electableAt;
    }

    public void stepDown() {
        enter(State.STEPPING_DOWN);
    }

    /** Goes on as a secondary until a time, in milliseconds. */
    public void becomeSecondary(long until) {
        enter(State.SECONDARY);
        electableAt = until;
    }

    /** Lets a secondary stand for election at another time, in milliseconds. */
    public void electAt(long millis) {
        electableAt = millis;
    }

    public void becomePrimary() {
        enter(State.PRIMARY);
        electableAt = Long.MAX_VALUE;
    }

    private void enter(State next) {
        state = next;
        counter++;
    }
}
