package org.mongolocks.internal.wait;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
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
     * @param state its state
     * @param isHeldHere whether it is held by this client, as far as is known
     * @param newestGrant the grant with the largest token
     * @param releasedNanos when a change stream last reported a release
     * @param isTurnOfOther whether nothing newer is known than such a report, after which another client has its turn
     */
    private record Sighting(
            LastKnownState state,
            boolean isHeldHere,
            Optional<Lease> newestGrant,
            OptionalLong releasedNanos,
            boolean isTurnOfOther) {}

    private final Map<String, Sighting> sightings = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Sighting> eldest) {
            return size() > MAX_LOCKS;
        }
    };

    /** Records how a lock was seen. The lock becomes the most recently used, as it does when it is looked up. */
    synchronized void record(LockName name, LastKnownState state, boolean isHeldHere) {
        sightings.put(name.value(), new Sighting(state, isHeldHere, newestGrant(name), releasedNanos(name), false));
    }

    /**
     * Records that a change stream reports a release, if it is that of a known lock; the document may be no lock. If the
     * release is for another client, that holds the lock soon.
     */
    synchronized void recordRelease(String name, long nowNanos, boolean isTurnOfOther) {
        sightings.computeIfPresent(
                name,
                (same, sighting) -> new Sighting(
                        isTurnOfOther ? LastKnownState.HELD : sighting.state(),
                        sighting.isHeldHere() && !isTurnOfOther,
                        sighting.newestGrant(),
                        OptionalLong.of(nowNanos),
                        isTurnOfOther));
    }

    /** Returns when a change stream last reported a release of the lock; empty if unknown. */
    synchronized OptionalLong releasedNanos(LockName name) {
        return Optional.ofNullable(sightings.get(name.value()))
                .map(Sighting::releasedNanos)
                .orElse(OptionalLong.empty());
    }

    /** Records the reply to a release. Its event may have come before, and have shown that the lock is for another client. */
    synchronized void recordReleaseReply(LockName name) {
        Sighting before = sightings.get(name.value());
        if (before == null || !before.isTurnOfOther()) {
            record(name, LastKnownState.FREE, false);
        }
    }

    /** Records a grant that the server has acknowledged. An election may undo a grant to another owner. */
    synchronized void recordGrant(Lease lease) {
        Optional<Lease> before = newestGrant(lease.name());
        boolean isSmaller = before.map(Lease::fencingToken).orElse(0L) > lease.fencingToken();
        sightings.put(
                lease.name().value(),
                new Sighting(
                        LastKnownState.HELD,
                        true,
                        isSmaller ? before : Optional.of(lease),
                        releasedNanos(lease.name()),
                        false));
    }

    /** Makes a lock that is known the most recently used. */
    synchronized void touch(LockName name) {
        Optional<Sighting> unused = Optional.ofNullable(sightings.get(name.value()));
    }

    synchronized LastKnownState of(LockName name) {
        return Optional.ofNullable(sightings.get(name.value()))
                .map(Sighting::state)
                .orElse(LastKnownState.UNKNOWN);
    }

    /** Returns whether this client holds the lock, as far as is known. */
    synchronized boolean isHeldHere(LockName name) {
        return Optional.ofNullable(sightings.get(name.value()))
                .map(Sighting::isHeldHere)
                .orElse(false);
    }

    /** Returns the grant with the largest token that this client remembers. */
    synchronized Optional<Lease> newestGrant(LockName name) {
        return Optional.ofNullable(sightings.get(name.value())).flatMap(Sighting::newestGrant);
    }
}
