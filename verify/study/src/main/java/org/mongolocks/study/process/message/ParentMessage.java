package org.mongolocks.study.process.message;

import org.mongolocks.study.sim.server.ProtectedResources.Values;

/** A message from a parent to a child. */
public sealed interface ParentMessage {
    /** The number in place of a lock's that tells a worker to end. */
    int NO_LOCK = -1;

    /** Opens a client, and starts its workers; a child can have several. */
    record Start(ChildConfig config) implements ParentMessage {}

    /** Lets a waiting worker continue, with the lock or the values that it requested. */
    record Answer(int worker, int lock, Values values) implements ParentMessage {
        /** Creates an answer with a lock. */
        public Answer(int worker, int lock) {
            this(worker, lock, Values.NONE);
        }
    }

    /** Asks for the memory and the threads of the child. */
    record Measure() implements ParentMessage {}

    /** Ends the run: the child completes its work, releases its locks, and exits. */
    record Stop() implements ParentMessage {}
}
