package org.mongolocks.study.process.message;

import org.mongolocks.study.history.Event;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.server.ProtectedResources.Values;

/**
 * A message from a child to its parent. Times are nanoseconds of {@link System#nanoTime()}, which all processes of a
 * machine share.
 */
public sealed interface ChildMessage {
    /** Reports that the child has started. The times show the state of its clocks. */
    record Hello(Clocks clocks) implements ChildMessage {}

    /** Reports an event; the number of the grant is the child's own. */
    record Happened(Event event) implements ChildMessage {}

    /**
     * Requests the number of the lock that a worker acquires next, and waits for it. The first such message says that the
     * child has begun.
     *
     * @param commands how many commands the child has sent so far
     */
    record Next(int worker, String technique, long commands) implements ChildMessage {}

    /**
     * Reports that a holder has reached a fault point, and waits until it may continue. After its grant it reads the
     * resources, and after a check it writes the values plus one.
     */
    record Reached(int worker, FaultPoint point, GrantToken grantToken, Values values) implements ChildMessage {}

    /** Reports that the child cannot continue. */
    record Trouble(String what) implements ChildMessage {}

    /**
     * Reports the memory in use after a garbage collection, in bytes, the number of live threads, and how many of them are
     * not in the bounded pools of an open client of the library.
     */
    record Usage(long heapBytes, int threads, int otherThreads) implements ChildMessage {}

    /** Reports the normal end of the child, and how many threads of its closed clients are left. */
    record Bye(Clocks clocks, int leftThreads) implements ChildMessage {}

    /** The grant with which a holder uses the resources: the child's number of it, its token, and its lock. */
    record GrantToken(int grant, long token, int lock) {}

    /** The readings of a process's clocks at one time. */
    record Clocks(long nanos, long wallMillis) {
        public static Clocks now() {
            return new Clocks(System.nanoTime(), System.currentTimeMillis());
        }
    }
}
