package org.mongolocks.leader;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.mongolocks.CheckReturnValue;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;

/**
 * A candidate for a role: the lock that stands for the role, the length of its lease, and when a term ends. Immutable.
 * Candidates that compete for one role use equal names in one collection; the rest may differ.
 *
 * @param role the role, which is the name of the lock
 * @param ttl the length of the lease: how soon another candidate leads after a crash of the leader. From
 *     {@link LockRequest#MIN_TTL} to {@link LockRequest#MAX_TTL}; several times the longest pause of the process and
 *     the longest election of the server.
 * @param id the name that {@link Leader#candidate()} shows to others; empty for none
 * @param isFair whether it waits behind earlier fair candidates; see {@link #fair()}
 * @param leadsOnce whether its candidacy ends with its first term; see {@link #once()}
 * @param timing when a term is suspended and revoked, and the waits between terms
 */
public record Candidate(
        LockName role, Duration ttl, Optional<String> id, boolean isFair, boolean leadsOnce, Timing timing) {
    /** The longest pause, and the longest time of a standby candidate: one hour. */
    public static final Duration MAX_PAUSE = Duration.ofHours(1);
    /** The pause after a term, unless another is set: 2 seconds, longer than waiters of other clients poll. */
    public static final Duration DEFAULT_PAUSE = Duration.ofSeconds(2);

    private static final int SUSPENDED_AT = 2;
    private static final int REVOKED_AT = 6;

    /**
     * Checks the parts.
     *
     * @param role the role
     * @param ttl the length of the lease
     * @param id the name that others see
     * @param isFair whether it waits behind earlier fair candidates
     * @param leadsOnce whether its candidacy ends with its first term
     * @param timing when a term is suspended and revoked, and the waits between terms
     * @throws IllegalArgumentException if the ttl, the id or a time is out of bounds
     */
    public Candidate {
        Objects.requireNonNull(timing, "The timing is null");
        requestFor(role, ttl, Duration.ZERO, isFair, id);
        timing.requireWithin(ttl);
    }

    /**
     * Creates a candidate: suspended when half of the lease is left, revoked when a sixth is left.
     *
     * @param role the name of the role, and of its lock; see {@link LockName}
     * @param ttl the length of the lease
     * @return the candidate
     * @throws IllegalArgumentException if the name or the ttl is out of bounds
     */
    public static Candidate of(String role, Duration ttl) {
        LockName name = LockRequest.of(role, ttl).name();
        Timing timing = new Timing(
                ttl.dividedBy(SUSPENDED_AT), ttl.dividedBy(REVOKED_AT), DEFAULT_PAUSE, Duration.ZERO, Duration.ZERO);
        return new Candidate(name, ttl, Optional.empty(), false, false, timing);
    }

    /**
     * Returns the same candidate with a name, which is stored as the note of the lock while it leads.
     *
     * @param name for example the host, or the name of the service instance; up to {@link LockRequest#MAX_NOTE_BYTES}
     *     bytes of UTF-8
     * @return the candidate with that name
     * @throws IllegalArgumentException if the name is too long or has an unpaired surrogate
     */
    @CheckReturnValue
    public Candidate id(String name) {
        return new Candidate(role, ttl, Optional.of(name), isFair, leadsOnce, timing);
    }

    /**
     * Returns the same candidate with fair waiting: candidates lead in the order in which they asked, and a leader that
     * resigns asks again at once, behind all that wait. The order holds among fair candidates; see
     * {@link LockRequest#fair()} for its cost.
     *
     * @return the candidate with fair waiting
     */
    @CheckReturnValue
    public Candidate fair() {
        return new Candidate(role, ttl, id, true, leadsOnce, timing);
    }

    /**
     * Returns the same candidate with a candidacy that ends with its first term, however that ends.
     *
     * @return the candidate that leads at most once
     */
    @CheckReturnValue
    public Candidate once() {
        return new Candidate(role, ttl, id, isFair, true, timing);
    }

    /**
     * Returns the same candidate with other times at which its term is in danger. Keep-alive renews the lease after
     * each third of the ttl, so that two thirds are left while renewals succeed.
     *
     * @param suspended how much of the lease is left when the leader is notified that renewals fail; at most two thirds of
     *     the ttl
     * @param revoked how much is left when the term ends for good: the time for the leader to stop before another
     *     candidate can lead. More than zero, less than {@code suspended}.
     * @return the candidate with these times
     * @throws IllegalArgumentException if a time is out of bounds
     */
    @CheckReturnValue
    public Candidate revokedAt(Duration suspended, Duration revoked) {
        return with(new Timing(suspended, revoked, timing.pause, timing.settling, timing.standby));
    }

    /**
     * Returns the same candidate with another pause between the end of its term, or a failed request, and its next
     * request. In that time another candidate can be elected. A fair candidate that resigned does not pause.
     *
     * @param time from zero to {@link #MAX_PAUSE}; {@link #DEFAULT_PAUSE} unless set
     * @return the candidate with that pause
     * @throws IllegalArgumentException if the time is out of bounds
     */
    @CheckReturnValue
    public Candidate pause(Duration time) {
        return with(new Timing(timing.suspendedAt, timing.revokedAt, time, timing.settling, timing.standby));
    }

    /**
     * Returns the same candidate with a wait between the grant of the lock and the beginning of its term. A forced
     * release, or a drop of the collection, ends the lock of a leader. The leader detects that at its next renewal, and
     * if it is cut off from the server, when its lease ends. With the ttl of that leader as the
     * wait, its term has ended by then. Zero, unless set: these two events can make two leaders for a third of the ttl.
     *
     * @param time from zero to {@link #MAX_PAUSE}
     * @return the candidate with that wait
     * @throws IllegalArgumentException if the time is out of bounds
     */
    @CheckReturnValue
    public Candidate settling(Duration time) {
        return with(new Timing(timing.suspendedAt, timing.revokedAt, timing.pause, time, timing.standby));
    }

    /**
     * Returns the same candidate with a lower priority: it asks for the role only when it has seen that no candidate
     * led for this long. It reads the lock that often. It does not give up its term when a candidate without such a
     * wait returns. Needs a strategy that shows when a lease has ended, not one without clocks.
     *
     * @param time from zero, which is no such wait, to {@link #MAX_PAUSE}
     * @return the candidate with that priority
     * @throws IllegalArgumentException if the time is out of bounds
     */
    @CheckReturnValue
    public Candidate standby(Duration time) {
        return with(new Timing(timing.suspendedAt, timing.revokedAt, timing.pause, timing.settling, time));
    }

    /**
     * Returns the request with which the candidate asks for its role.
     *
     * @param wait how long to wait while another candidate leads
     * @return the request
     */
    public LockRequest request(Duration wait) {
        return requestFor(role, ttl, wait, isFair, id);
    }

    private Candidate with(Timing other) {
        return new Candidate(role, ttl, id, isFair, leadsOnce, other);
    }

    private static LockRequest requestFor(
            LockName role, Duration ttl, Duration wait, boolean isFair, Optional<String> id) {
        LockRequest request = LockRequest.of(role, ttl).waitAtMost(wait);
        LockRequest ordered = isFair ? request.fair() : request;
        return id.map(ordered::note).orElse(ordered);
    }

    /**
     * When a term is suspended and revoked, and the waits between terms. {@link Candidate} explains each.
     *
     * @param suspendedAt how much of the lease is left when the leader is notified that renewals fail
     * @param revokedAt how much is left when the term ends for good
     * @param pause the wait between a term, or a failed request, and the next request
     * @param settling the wait between the grant of the lock and the beginning of the term
     * @param standby how long no candidate must have led before this one asks; zero to ask at once
     */
    public record Timing(
            Duration suspendedAt, Duration revokedAt, Duration pause, Duration settling, Duration standby) {
        private static final int RENEWED_AT = 3;

        /**
         * Checks the bounds that do not depend on the ttl.
         *
         * @param suspendedAt how much of the lease is left when the leader is notified
         * @param revokedAt how much is left when the term ends
         * @param pause the wait between terms
         * @param settling the wait before a term
         * @param standby how long no candidate must have led
         * @throws IllegalArgumentException if a time is out of bounds
         */
        public Timing {
            if (revokedAt.isNegative() || revokedAt.isZero() || revokedAt.compareTo(suspendedAt) >= 0) {
                throw new IllegalArgumentException("the time at which a term is revoked must be more than zero and"
                        + " less than that at which it is suspended (" + suspendedAt + "), was " + revokedAt);
            }
            requirePause("pause", pause);
            requirePause("settling", settling);
            requirePause("standby", standby);
        }

        private void requireWithin(Duration ttl) {
            Duration most = ttl.multipliedBy(RENEWED_AT - 1).dividedBy(RENEWED_AT);
            if (suspendedAt.compareTo(most) > 0) {
                throw new IllegalArgumentException("the time at which a term is suspended must be at most two thirds of"
                        + " the ttl (" + most + "), was " + suspendedAt);
            }
        }

        private static void requirePause(String name, Duration time) {
            if (time.isNegative() || time.compareTo(MAX_PAUSE) > 0) {
                throw new IllegalArgumentException(name + " must be from PT0S to " + MAX_PAUSE + ", was " + time);
            }
        }
    }
}
