package org.mongolocks.study.process.fault;

import org.mongolocks.study.sim.config.FaultPoint;

/** A fault that hits the processes of a run. Thread-safe. */
public interface ProcessFault {
    /** No fault. */
    ProcessFault NONE = new ProcessFault() {
        @Override
        public void reached(Scene scene, int child, FaultPoint moment) {}

        @Override
        public boolean isOver() {
            return true;
        }
    };

    /**
     * Called when a holder in a child reaches a fault point. The holder waits for its return; each child has a calling
     * thread of its own.
     */
    void reached(Scene scene, int child, FaultPoint moment) throws InterruptedException;

    /** Returns whether no more faults are to come. */
    boolean isOver();

    /** The actions on processes. */
    interface Scene {
        /** Kills a child. */
        void kill(int child);

        /** Pauses a child until another has got the lock and used the resources, or a time limit has passed. */
        void pause(int child) throws InterruptedException;
    }
}
