package org.mongolocks.internal.wait;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.spi.AcquireContext.LastKnownState;

/**
 * A cache of how one client last saw the locks that it used recently, so that an acquisition can begin with the
 * command that is likely to be the only one. Its content may be outdated and decides nothing else. It also holds
 * the newest grant of each lock, to detect a token that went back. Thread-safe.
 */
final class LastSeenCache {
    /** The least recently used locks beyond this number are forgotten; a name has at most 512 bytes. */
    static final int MAX_LOCKS = 1_000;

    /**
     * What is known of one lock.
     *
     * @param isHeldHere whether it is held by this client, as far as is known
     * @param isContended whether this client waited for its newest grant, or others waited then
     */
    private record Sighting(
            LastKnownState state, boolean isHeldHere, Optional<Lease> newestGrant, boolean isContended) {
        static final Sighting NONE = new Sighting(LastKnownState.UNKNOWN, false, Optional.empty(), false);

        Sighting as(LastKnownState newState, boolean isNowHeldHere) {
            return new Sighting(newState, isNowHeldHere, newestGrant, isContended);
        }
    }

    private final Map<String, Sighting> sightings = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Sighting> eldest) {
            return size() > MAX_LOCKS;
        }
    };

    /** Records how a lock was seen. The lock becomes the most recently used, as it does when it is looked up. */
    synchronized void record(LockName name, LastKnownState state, boolean isHeldHere) {
        change(name, known -> known.as(state, isHeldHere));
    }

    /**
     * Records the reply to a release by this client. If others waited for the lock, one of them is about to acquire
     * it.
     */
    synchronized void recordRelease(LockName name) {
        change(name, known -> known.as(known.isContended ? LastKnownState.HELD : LastKnownState.FREE, false));
    }

    /**
     * Records a grant that the server has acknowledged; it is contended if this client has waited for it, or others
     * wait. An election may undo a grant to another owner.
     */
    synchronized void recordGrant(Lease lease, boolean isContended) {
        String key = lease.name().value();
        Sighting known = sightings.getOrDefault(key, Sighting.NONE);
        Optional<Lease> newest = known.newestGrant;
        boolean isOlder = newest.isPresent() && newest.get().fencingToken() > lease.fencingToken();
        sightings.put(key, new Sighting(LastKnownState.HELD, true, isOlder ? newest : Optional.of(lease), isContended));
    }

    synchronized LastKnownState of(LockName name) {
        return known(name).state;
    }

    /** Returns whether this client holds the lock, as far as is known. */
    synchronized boolean isHeldHere(LockName name) {
        return known(name).isHeldHere();
    }

    /** Returns the grant with the largest token that this client remembers. */
    synchronized Optional<Lease> newestGrant(LockName name) {
        return known(name).newestGrant;
    }

    private void change(LockName name, UnaryOperator<Sighting> change) {
        String key = name.value();
        sightings.put(key, change.apply(sightings.getOrDefault(key, Sighting.NONE)));
    }

    private Sighting known(LockName name) {
        return sightings.getOrDefault(name.value(), Sighting.NONE);
    }
}
