package org.mongolocks.study.sim;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.study.sim.net.Message;
import org.mongolocks.study.sim.net.MessageFate;

/** Injects the faults of one run. */
public interface Nemesis {
    /**
     * Called once, before the run.
     *
     * @param world the run
     */
    default void begin(SimulationRun world) {}

    /**
     * Called when a holder reaches a fault point.
     *
     * @param moment the fault point
     * @param world the run
     * @param client the client of the holder
     */
    default void at(FaultPoint moment, SimulationRun world, int client) {}

    /**
     * Returns the fate of a message between a client and the server.
     *
     * @param message the message
     * @return its fate
     */
    default MessageFate fate(Message message) {
        return MessageFate.ARRIVES;
    }

    /**
     * Returns the additional delay of a write to the resources.
     *
     * @param client the client that writes
     * @return the delay
     */
    default Duration delayOfWrite(int client) {
        return Duration.ZERO;
    }

    /**
     * Returns when a thread that acquires the lock is interrupted, if it still waits then.
     *
     * @param client the client of the thread
     * @return the delay; empty for never
     */
    default Optional<Duration> interruptAfter(int client) {
        return Optional.empty();
    }
}
