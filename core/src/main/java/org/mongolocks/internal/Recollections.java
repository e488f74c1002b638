package org.mongolocks.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.spi.LastSeen;

/**
 * Remembers how one client saw the locks that it used lately, so that an acquisition begins with the command that is likely
 * to be the only one: what it says of that may be out of date, and decides nothing. It remembers the newest grant of each
 * as well, so that a token that went back is noticed. Thread-safe.
 */
final class Recollections {
    /** The names of so many locks, at 512 bytes each at most, are little beside the connections of a client. */
    static final int MOST = 1_000;

    /** What is known of one lock; the grant is that with the largest token. */
    private record Memory(LastSeen seen, Optional<Lease> newest) {}

    private final Map<LockName, Memory> seen = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<LockName, Memory> eldest) {
            return size() > MOST;
        }
    };

    /** Notes what was seen. The lock is the last to be forgotten then, as it is when it is asked about. */
    synchronized void note(LockName name, LastSeen now) {
        seen.put(name, new Memory(now, newestGrant(name)));
    }

    /** Notes a grant that the server has acknowledged. What another was granted may be undone by an election. */
    synchronized void noteGrant(Lease lease) {
        Optional<Lease> before = newestGrant(lease.name());
        boolean isLess = before.map(Lease::fencingToken).orElse(0L) > lease.fencingToken();
        seen.put(lease.name(), new Memory(LastSeen.HELD, isLess ? before : Optional.of(lease)));
    }

    synchronized LastSeen of(LockName name) {
        return Optional.ofNullable(seen.get(name)).map(Memory::seen).orElse(LastSeen.UNKNOWN);
    }

    /** Returns the grant with the largest token that this client remembers. */
    synchronized Optional<Lease> newestGrant(LockName name) {
        return Optional.ofNullable(seen.get(name)).flatMap(Memory::newest);
    }
}
