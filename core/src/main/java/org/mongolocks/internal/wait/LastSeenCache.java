package org.mongolocks.internal.wait;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.spi.LastKnownState;

/**
 * A cache of how one client last saw the locks that it used recently, so that an acquisition can begin with the command
 * that is likely to be the only one. Its content may be outdated and decides nothing else. It also holds the newest
 * grant of each lock, to detect a token that went back. Thread-safe.
 */
final class LastSeenCache {
    /** So many names, at 512 bytes each at most, are little memory compared with the connections of a client. */
    static final int MOST = 1_000;

    /** The known state of one lock; the grant is that with the largest token. */
    private record Memory(LastKnownState seen, Optional<Lease> newest) {}

    private final Map<LockName, Memory> seen = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<LockName, Memory> eldest) {
            return size() > MOST;
        }
    };

    /** Records how a lock was seen. The lock becomes the most recently used, as it does when it is looked up. */
    synchronized void record(LockName name, LastKnownState now) {
        seen.put(name, new Memory(now, newestGrant(name)));
    }

    /** Records a grant that the server has acknowledged. An election may undo a grant to another owner. */
    synchronized void recordGrant(Lease lease) {
        Optional<Lease> before = newestGrant(lease.name());
        boolean isLess = before.map(Lease::fencingToken).orElse(0L) > lease.fencingToken();
        seen.put(lease.name(), new Memory(LastKnownState.HELD, isLess ? before : Optional.of(lease)));
    }

    synchronized LastKnownState of(LockName name) {
        return Optional.ofNullable(seen.get(name)).map(Memory::seen).orElse(LastKnownState.UNKNOWN);
    }

    /** Returns the grant with the largest token that this client remembers. */
    synchronized Optional<Lease> newestGrant(LockName name) {
        return Optional.ofNullable(seen.get(name)).flatMap(Memory::newest);
    }
}
