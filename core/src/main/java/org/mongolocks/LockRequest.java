package org.mongolocks;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request to acquire a lock: its name, the ttl of the lease, and how long to wait. Immutable: each method that changes
 * something returns another request.
 *
 * <pre>{@code
 * LockRequest request = LockRequest.of("invoice-42", Duration.ofSeconds(30)).waitAtMost(Duration.ofSeconds(5));
 * }</pre>
 *
 * <p><b>A lock is kept while its holder lives.</b> The client renews the lease after each third of the ttl, until the lock
 * is released or lost or the client is closed. A renewal that fails is retried while the lease lasts. So the ttl bounds how
 * soon another owner gets the lock after a crash, not how long the work may take. Two methods change that:
 * {@link #keepAliveAtMost} for work that may hang, and {@link #fixedLease} for a lease that is not renewed.
 *
 * <p>Release every lock, and keep its handle until then: if the handle of a lock that is kept alive is garbage-collected
 * without a release, the client logs a warning and releases the lock. Until the next collection the lock stays held.
 */
public final class LockRequest {
    /** The shortest lease: 100 milliseconds. */
    public static final Duration MIN_TTL = Duration.ofMillis(100);
    /** The longest lease: 24 hours. */
    public static final Duration MAX_TTL = Duration.ofHours(24);
    /** The longest wait: 365 days. */
    public static final Duration MAX_WAIT = Duration.ofDays(365);
    /** The longest note: 256 bytes of UTF-8. */
    public static final int MAX_NOTE_BYTES = 256;

    private final LockName name;
    private final Duration ttl;
    private final Duration waitAtMost;
    private final boolean isKeptAlive;
    private final boolean isFair;
    private final Optional<String> note;
    private final Optional<Duration> keepAliveLimit;
    private final Duration minimumHold;

    private LockRequest(
            LockName name,
            Duration ttl,
            Duration waitAtMost,
            boolean isKeptAlive,
            boolean isFair,
            Optional<String> note,
            Optional<Duration> keepAliveLimit,
            Duration minimumHold) {
        this.name = Objects.requireNonNull(name, "The name of the lock is null");
        this.ttl = Objects.requireNonNull(ttl, "The ttl is null");
        this.waitAtMost = Objects.requireNonNull(waitAtMost, "The wait is null");
        this.isKeptAlive = isKeptAlive;
        this.isFair = isFair;
        this.note = note;
        this.keepAliveLimit = keepAliveLimit;
        this.minimumHold = Objects.requireNonNull(minimumHold, "The minimum hold is null");
        requireBetween("ttl", MIN_TTL, MAX_TTL, ttl);
        requireBetween("waitAtMost", Duration.ZERO, MAX_WAIT, waitAtMost);
        if (!Duration.ofMillis(ttl.toMillis()).equals(ttl)) {
            throw new IllegalArgumentException("ttl must be a whole number of milliseconds, was " + ttl);
        }
        requireBetween("holdAtLeast", Duration.ZERO, ttl, minimumHold);
        note.ifPresent(LockRequest::requireNote);
        keepAliveLimit.ifPresent(limit -> requireBetween("keepAliveAtMost", ttl, MAX_WAIT, limit));
        if (keepAliveLimit.isPresent() && !isKeptAlive) {
            throw new IllegalArgumentException(
                    "keepAliveAtMost needs a lease that is renewed, which fixedLease is not");
        }
    }

    /**
     * Creates a request that does not wait while another owner holds the lock. The client keeps the lock alive.
     *
     * <p>For a name alone, with the defaults of a client, see {@code LockClient.request}.
     *
     * @param name the name of the lock; see {@link LockName}
     * @param ttl the length of the lease, from {@link #MIN_TTL} to {@link #MAX_TTL}, in whole milliseconds. After this
     *     time without a renewal, another owner may acquire the lock. Choose several times the longest process pause or
     *     network round trip.
     * @return the request
     * @throws IllegalArgumentException if the name or the ttl is out of bounds. MongoDB stores milliseconds, so a ttl with
     *     a fraction of a millisecond is refused, not rounded.
     */
    public static LockRequest of(String name, Duration ttl) {
        return of(LockName.of(name), ttl);
    }

    /**
     * Creates a request as {@link #of(String, Duration)} does.
     *
     * @param name the name of the lock
     * @param ttl the length of the lease, from {@link #MIN_TTL} to {@link #MAX_TTL}
     * @return the request
     * @throws IllegalArgumentException if the ttl is out of bounds
     */
    public static LockRequest of(LockName name, Duration ttl) {
        return new LockRequest(
                name, ttl, Duration.ZERO, true, false, Optional.empty(), Optional.empty(), Duration.ZERO);
    }

    /**
     * Returns the name of the lock.
     *
     * @return the name
     */
    public LockName name() {
        return name;
    }

    /**
     * Returns the length of the lease.
     *
     * @return the ttl
     */
    public Duration ttl() {
        return ttl;
    }

    /**
     * Returns how long to wait while another owner holds the lock. Zero does not wait, and retries only after faults. A
     * call may take longer by one command timeout.
     *
     * @return the wait
     */
    public Duration waitAtMost() {
        return waitAtMost;
    }

    /**
     * Returns whether the client renews the lease while the lock is held.
     *
     * @return true if it does; false after {@link #fixedLease()}
     */
    public boolean isKeptAlive() {
        return isKeptAlive;
    }

    /**
     * Returns whether to wait behind earlier requests of all clients; see {@link #fair()}.
     *
     * @return true if it does
     */
    public boolean isFair() {
        return isFair;
    }

    /**
     * Returns the note for operators; see {@link #note(String)}.
     *
     * @return the note, or empty
     */
    public Optional<String> note() {
        return note;
    }

    /**
     * Returns when the client stops renewing, counted from the grant; see {@link #keepAliveAtMost(Duration)}.
     *
     * @return the limit; empty for none
     */
    public Optional<Duration> keepAliveLimit() {
        return keepAliveLimit;
    }

    /**
     * Returns how long the lock stays held at least; see {@link #holdAtLeast(Duration)}.
     *
     * @return the minimum; zero for none
     */
    public Duration minimumHold() {
        return minimumHold;
    }

    /**
     * Returns the same request with another wait.
     *
     * @param wait how long to wait while another owner holds the lock, from zero to {@link #MAX_WAIT}; zero does not
     *     wait
     * @return the request with that wait
     * @throws IllegalArgumentException if the wait is out of bounds
     */
    @CheckReturnValue
    public LockRequest waitAtMost(Duration wait) {
        return new LockRequest(name, ttl, wait, isKeptAlive, isFair, note, keepAliveLimit, minimumHold);
    }

    /**
     * Returns the same request for a lease that the client does not renew: the lock is held for one ttl, or as long as its
     * holder renews it, whatever the holder does. For a lock that is to end by itself, as that of a task that is expected
     * to run once in that time, or of a handle that is dropped.
     *
     * @return the request with a lease of one ttl
     * @throws IllegalArgumentException if the request has a {@linkplain #keepAliveAtMost limit} for its renewals
     */
    @CheckReturnValue
    public LockRequest fixedLease() {
        return new LockRequest(name, ttl, waitAtMost, false, isFair, note, keepAliveLimit, minimumHold);
    }

    /**
     * Returns the same request for a lock that the client does not keep alive for ever: a thread that hangs loses the
     * lock. The client sends no renewal whose lease would end later than {@code limit} after
     * the grant, by its own clock. Unless it is released before, the lock is lost
     * ({@link LossReason#EXPIRED}) when its last lease ends: no later than the limit, and earlier by no more than a third
     * of the ttl and the skew margin. The holder may still renew the lock itself.
     *
     * @param limit how long after the grant the last lease ends at the latest, from the ttl to {@link #MAX_WAIT}
     * @return the request with keep-alive up to that limit
     * @throws IllegalArgumentException if the limit is out of bounds, or the request asks for a {@link #fixedLease()}
     */
    @CheckReturnValue
    public LockRequest keepAliveAtMost(Duration limit) {
        Optional<Duration> most = Optional.of(Objects.requireNonNull(limit, "The limit of the keep-alive is null"));
        return new LockRequest(name, ttl, waitAtMost, isKeptAlive, isFair, note, most, minimumHold);
    }

    /**
     * Returns the same request for a lock that no other owner acquires before {@code minimum} has passed since the
     * grant, even if its holder releases it earlier, or its process ends. For work that must not run again so soon, on an
     * instance whose clock is behind.
     *
     * <p>A release, or the closing of the client, before that time shortens the lease on the server instead of ending it:
     * the lock is held by no owner until the minimum has passed. The release takes as many round trips, reports the same
     * result, and ends the hold of its owner, which can neither renew the lock nor acquire it again earlier. Waiters learn
     * when they can acquire it. A forced release ends it at once for new requests; requests that wait already may find that
     * only when the minimum has passed. A reentrant request that enters a held lock does not
     * change its minimum.
     *
     * @param minimum how long after the grant, from zero, which is no minimum, to the ttl
     * @return the request with that minimum
     * @throws IllegalArgumentException if the minimum is out of bounds
     */
    @CheckReturnValue
    public LockRequest holdAtLeast(Duration minimum) {
        return new LockRequest(name, ttl, waitAtMost, isKeptAlive, isFair, note, keepAliveLimit, minimum);
    }

    /**
     * Returns the same request with fair waiting: it waits behind all earlier requests of all clients, first come, first
     * served. Without that the waiters of one client share a place in the list of the lock: clients are served in the
     * order in which they began to wait, and of each client one waiter.
     *
     * <p>A fair waiter has an entry of its own in the list of waiters in the lock document. The attempt that finds the
     * lock held adds it, and the grant removes it, without further commands. A waiter that reaches its deadline, is
     * interrupted or cancelled removes its entry. If that fails, or its client dies, the entry delays the next grant by
     * a quarter of a second, that of several together by two seconds at most, once. If the reply to an attempt is lost,
     * the retry adds no second entry. Mutual exclusion does not depend on the list.
     *
     * <p>Fair waiting needs a strategy that keeps lists of waiters, as all of this project do, and MongoDB 4.4 or newer;
     * elsewhere the acquisition throws an {@link IllegalArgumentException}.
     *
     * @return the request with fair waiting
     */
    @CheckReturnValue
    public LockRequest fair() {
        return new LockRequest(name, ttl, waitAtMost, isKeptAlive, true, note, keepAliveLimit, minimumHold);
    }

    /**
     * Returns the same request with a note for operators, which is stored while the lock is held.
     *
     * @param text for example a description of the work; up to {@value #MAX_NOTE_BYTES} bytes of UTF-8, no unpaired
     *     surrogate
     * @return the request with that note
     * @throws IllegalArgumentException if the text is too long or has an unpaired surrogate
     */
    @CheckReturnValue
    public LockRequest note(String text) {
        Optional<String> other = Optional.of(Objects.requireNonNull(text, "The note is null"));
        return new LockRequest(name, ttl, waitAtMost, isKeptAlive, isFair, other, keepAliveLimit, minimumHold);
    }

    /** Returns the same request for another lock. */
    LockRequest forLock(LockName other) {
        return new LockRequest(other, ttl, waitAtMost, isKeptAlive, isFair, note, keepAliveLimit, minimumHold);
    }

    /** Two requests are equal if they ask for the same. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockRequest request && parts().equals(request.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    /** Returns a description for logs. */
    @Override
    public String toString() {
        return "LockRequest" + parts();
    }

    private List<Object> parts() {
        return List.of(name, ttl, waitAtMost, isKeptAlive, isFair, note, keepAliveLimit, minimumHold);
    }

    private static void requireNote(String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException("note must not have an unpaired surrogate");
        }
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        if (length > MAX_NOTE_BYTES) {
            throw new IllegalArgumentException(
                    "note must have at most " + MAX_NOTE_BYTES + " bytes of UTF-8, had " + length);
        }
    }

    private static void requireBetween(String what, Duration least, Duration most, Duration found) {
        if (found.compareTo(least) < 0 || found.compareTo(most) > 0) {
            throw new IllegalArgumentException(what + " must be from " + least + " to " + most + ", was " + found);
        }
    }
}
