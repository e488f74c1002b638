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
    /** The least recently used locks beyond this number are forgotten; a name has at most 512 bytes. */
    static final int MAX_LOCKS = 1_000;

    /** What is known of one lock: its state, and the grant with the largest token. */
    private record Entry(LastKnownState state, Optional<Lease> newestGrant) {}

    private final Map<LockName, Entry> entries = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<LockName, Entry> eldest) {
            return size() > MAX_LOCKS;
        }
    };

    /** Records how a lock was seen. The lock becomes the most recently used, as it does when it is looked up. */
    synchronized void record(LockName name, LastKnownState state) {
        entries.put(name, new Entry(state, newestGrant(name)));
    }

    /** Records a grant that the server has acknowledged. An election may undo a grant to another owner. */
    synchronized void recordGrant(Lease lease) {
        Optional<Lease> before = newestGrant(lease.name());
        boolean isSmaller = before.map(Lease::fencingToken).orElse(0L) > lease.fencingToken();
        entries.put(lease.name(), new Entry(LastKnownState.HELD, isSmaller ? before : Optional.of(lease)));
    }

    synchronized LastKnownState of(LockName name) {
        return Optional.ofNullable(entries.get(name)).map(Entry::state).orElse(LastKnownState.UNKNOWN);
    }

    /** Returns the grant with the largest token that this client remembers. */
    synchronized Optional<Lease> newestGrant(LockName name) {
        return Optional.ofNullable(entries.get(name)).flatMap(Entry::newestGrant);
    }
}
