package org.mongolocks.study.simulation;

import java.time.Duration;
import java.util.Optional;

/** Makes things go wrong in one run. */
public interface Nemesis {
    /**
     * Begins, before anything has happened.
     *
     * @param world what it may spoil
     */
    default void begin(World world) {}

    /**
     * Is told that a holder has come to a moment.
     *
     * @param moment the moment
     * @param world what it may spoil
     * @param client whose moment it is
     */
    default void at(Moment moment, World world, int client) {}

    /**
     * Decides what becomes of a message between a client and the server.
     *
     * @param message the message
     * @return its fate
     */
    default Fate fate(Message message) {
        return Fate.ARRIVES;
    }

    /**
     * Decides how much longer a write takes on its way to the resources.
     *
     * @param client whose write
     * @return how much
     */
    default Duration delayOfWrite(int client) {
        return Duration.ZERO;
    }

    /**
     * Decides when a thread that asks for the lock is interrupted, if it still asks then.
     *
     * @param client whose thread
     * @return after how long; empty for never
     */
    default Optional<Duration> interruptAfter(int client) {
        return Optional.empty();
    }
}
