package org.mongolocks.study.process;

import org.mongolocks.study.simulation.Moment;

/** Is what befalls the processes of a run. Thread-safe. */
interface Mishap {
    /** Nothing does. */
    Mishap NONE = new Mishap() {
        @Override
        public void reached(Scene scene, int child, Moment moment) {}

        @Override
        public boolean isOver() {
            return true;
        }
    };

    /** Is told that a holder in a child has come so far. The holder waits meanwhile; each child is told of by a thread of its own. */
    void reached(Scene scene, int child, Moment moment) throws InterruptedException;

    /** Tells whether nothing more is to come. */
    boolean isOver();

    /** Is what can be done to processes. */
    interface Scene {
        /** Has a child stop for good, at once. */
        void kill(int child);

        /** Has a child stand still until another has got the lock and used the resources; not for ever, if no other does. */
        void standStill(int child) throws InterruptedException;
    }
}
