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
     * A release that a change stream has reported.
     *
     * @param atNanos when it was reported
     * @param revision the revision of the lock after it; zero if the event does not show it
     */
    record ReportedRelease(long atNanos, long revision) {}

    /**
     * What is known of one lock.
     *
     * @param state its state
     * @param isHeldHere whether it is held by this client, as far as is known
     * @param newestGrant the grant with the largest token
     * @param release the last release that a change stream has reported
     * @param turnOfOtherNanos since when another client has its turn, if nothing newer is known than a release
     * @param hasWaiters whether a client waited for the lock when a change stream last reported a release
     */
    private record Sighting(
            LastKnownState state,
            boolean isHeldHere,
            Optional<Lease> newestGrant,
            Optional<ReportedRelease> release,
            OptionalLong turnOfOtherNanos,
            boolean hasWaiters) {
        static final Sighting NONE = new Sighting(
                LastKnownState.UNKNOWN, false, Optional.empty(), Optional.empty(), OptionalLong.empty(), false);

        Sighting as(LastKnownState newState, boolean isNowHeldHere) {
            return new Sighting(newState, isNowHeldHere, newestGrant, release, OptionalLong.empty(), hasWaiters);
        }

        Sighting granted(Lease newest) {
            return new Sighting(
                    LastKnownState.HELD, true, Optional.of(newest), release, OptionalLong.empty(), hasWaiters);
        }

        Sighting withTurnOfOther(long nowNanos) {
            return new Sighting(
                    LastKnownState.HELD, false, newestGrant, release, OptionalLong.of(nowNanos), hasWaiters);
        }

        Sighting with(ReportedRelease reported, boolean isForWaiter) {
            return new Sighting(state, isHeldHere, newestGrant, Optional.of(reported), turnOfOtherNanos, isForWaiter);
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
        sightings.put(name.value(), known(name).as(state, isHeldHere));
    }

    /**
     * Records that a change stream reports a release, if it is that of a known lock; the document may be no lock. If the
     * release is for a client that waits, that client holds the lock soon.
     */
    synchronized void recordRelease(String name, ReportedRelease release, boolean isForWaiter) {
        sightings.computeIfPresent(name, (same, before) -> {
            Sighting reported = before.with(release, isForWaiter);
            if (isForWaiter) {
                return reported.withTurnOfOther(release.atNanos());
            }
            return before.turnOfOtherNanos().isPresent() ? reported.as(LastKnownState.FREE, false) : reported;
        });
    }

    /** Returns the last release of the lock that a change stream has reported; empty if unknown. */
    synchronized Optional<ReportedRelease> release(LockName name) {
        return known(name).release();
    }

    /** Returns since when another client has its turn; empty if that is not known, or something newer is. */
    synchronized OptionalLong turnOfOtherNanos(LockName name) {
        return known(name).turnOfOtherNanos();
    }

    /**
     * Records the reply to a release. Its event may have come before, and have shown that the lock is for another client.
     * If the event is still to come, the lock is taken to be for another client if one waited at the release before.
     */
    synchronized void recordReleaseReply(LockName name, long nowNanos, boolean isEventExpected) {
        Sighting before = known(name);
        if (before.turnOfOtherNanos().isEmpty()) {
            boolean isForWaiter = isEventExpected && before.hasWaiters();
            sightings.put(
                    name.value(),
                    isForWaiter ? before.withTurnOfOther(nowNanos) : before.as(LastKnownState.FREE, false));
        }
    }

    /** Records a grant that the server has acknowledged. An election may undo a grant to another owner. */
    synchronized void recordGrant(Lease lease) {
        Sighting before = known(lease.name());
        Lease newest = before.newestGrant()
                .filter(known -> known.fencingToken() > lease.fencingToken())
                .orElse(lease);
        sightings.put(lease.name().value(), before.granted(newest));
    }

    /** Makes a lock that is known the most recently used. */
    synchronized void touch(LockName name) {
        Sighting unused = known(name);
    }

    synchronized LastKnownState of(LockName name) {
        return known(name).state();
    }

    /** Returns whether this client holds the lock, as far as is known. */
    synchronized boolean isHeldHere(LockName name) {
        return known(name).isHeldHere();
    }

    /** Returns the grant with the largest token that this client remembers. */
    synchronized Optional<Lease> newestGrant(LockName name) {
        return known(name).newestGrant();
    }

    private Sighting known(LockName name) {
        return sightings.getOrDefault(name.value(), Sighting.NONE);
    }
}
