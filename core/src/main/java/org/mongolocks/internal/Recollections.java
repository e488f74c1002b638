package org.mongolocks.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import org.mongolocks.LockName;
import org.mongolocks.spi.LastSeen;

/**
 * Remembers how one client saw the locks that it used lately, so that an acquisition begins with the command that is likely
 * to be the only one. What it says may be out of date, and decides nothing. Thread-safe.
 */
final class Recollections {
    /** The names of so many locks, at 512 bytes each at most, are little beside the connections of a client. */
    static final int MOST = 1_000;

    private final Map<LockName, LastSeen> seen = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<LockName, LastSeen> eldest) {
            return size() > MOST;
        }
    };

    /** Notes what was seen. The lock is the last to be forgotten then, as it is when it is asked about. */
    synchronized void note(LockName name, LastSeen now) {
        seen.put(name, now);
    }

    synchronized LastSeen of(LockName name) {
        return seen.getOrDefault(name, LastSeen.UNKNOWN);
    }
}
