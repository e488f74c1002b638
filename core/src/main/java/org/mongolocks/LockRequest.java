package org.mongolocks;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Asks for a lock: which one, for how long, and how long to wait for it.
 *
 * @param name what to lock
 * @param ttl the length of the lease, from {@link #MIN_TTL} to {@link #MAX_TTL}. When it has passed without a renewal,
 *     another may take the lock. Choose several times the longest pause and round trip that the holder may suffer.
 * @param waitAtMost how long to wait while another holds the lock, from zero to {@link #MAX_WAIT}; zero asks once
 * @param isKeptAlive whether the client renews the lease while the lock is held; see {@link #keepAlive()}
 * @param isInOrder whether to wait behind those who asked before, in any client; see {@link #inOrder()}
 * @param note what the holder wants people to know who look at the lock; see {@link #note(String)}
 */
public record LockRequest(
        LockName name,
        Duration ttl,
        Duration waitAtMost,
        boolean isKeptAlive,
        boolean isInOrder,
        Optional<String> note) {
    /** The shortest lease: 100 milliseconds. */
    public static final Duration MIN_TTL = Duration.ofMillis(100);
    /** The longest lease: 24 hours. */
    public static final Duration MAX_TTL = Duration.ofHours(24);
    /** The longest wait: 365 days. */
    public static final Duration MAX_WAIT = Duration.ofDays(365);
    /** The longest note: 256 bytes of UTF-8. */
    public static final int MAX_NOTE_BYTES = 256;

    /**
     * Checks the bounds. MongoDB keeps milliseconds, so a finer part of the ttl is refused rather than dropped.
     *
     * @param name what to lock
     * @param ttl the length of the lease
     * @param waitAtMost how long to wait
     * @param isKeptAlive whether the client renews the lease
     * @param isInOrder whether to wait behind those who asked before
     * @param note what people should know who look at the lock
     * @throws IllegalArgumentException if the ttl or the wait is out of bounds, the ttl is not whole milliseconds, or the
     *     note is too long or has an unpaired surrogate
     */
    public LockRequest {
        Objects.requireNonNull(name, "The name of the lock is null");
        requireBetween("A ttl", MIN_TTL, MAX_TTL, ttl);
        requireBetween("A wait", Duration.ZERO, MAX_WAIT, waitAtMost);
        if (!Duration.ofMillis(ttl.toMillis()).equals(ttl)) {
            throw new IllegalArgumentException("A ttl is a whole number of milliseconds, but it was " + ttl);
        }
        note.ifPresent(LockRequest::requireNote);
    }

    /**
     * Asks for a lock whose lease the client does not renew.
     *
     * @param name what to lock
     * @param ttl the length of the lease
     * @param waitAtMost how long to wait
     * @throws IllegalArgumentException if the ttl or the wait is out of bounds, or the ttl is not whole milliseconds
     */
    public LockRequest(LockName name, Duration ttl, Duration waitAtMost) {
        this(name, ttl, waitAtMost, false, false, Optional.empty());
    }

    /**
     * Asks once for a lock, without waiting.
     *
     * @param name what to lock; see {@link LockName}
     * @param ttl the length of the lease, from {@link #MIN_TTL} to {@link #MAX_TTL}
     * @return the request
     * @throws IllegalArgumentException if the name or the ttl is out of bounds
     */
    public static LockRequest of(String name, Duration ttl) {
        return new LockRequest(LockName.of(name), ttl, Duration.ZERO);
    }

    /**
     * Gives the same request with another wait.
     *
     * @param wait how long to wait while another holds the lock, from zero to {@link #MAX_WAIT}; zero asks once
     * @return the request with that wait
     * @throws IllegalArgumentException if the wait is out of bounds
     */
    public LockRequest waitAtMost(Duration wait) {
        return new LockRequest(name, ttl, wait, isKeptAlive, isInOrder, note);
    }

    /**
     * Gives the same request for a lock that the client keeps alive: it renews the lease each third of it, until the
     * lock is released or lost or the client is closed. A passing fault is survived while the lease lasts. Without
     * keep-alive the lock is held for one ttl, or for as long as the holder renews it.
     *
     * <p>The ttl is then how soon others get the lock after a crash, not how long the work may take. Release such a lock:
     * a handle that is merely forgotten keeps the lock for as long as the process lives.
     *
     * @return the request with keep-alive
     */
    public LockRequest keepAlive() {
        return new LockRequest(name, ttl, waitAtMost, true, isInOrder, note);
    }

    /**
     * Gives the same request for one who waits behind all who asked before, in whichever client, and not only behind
     * those of the same client: first come, first served. The order holds among those who ask in order; a request that
     * does not may come in between. Without a wait the lock is granted only if nobody waits in order for it.
     *
     * <p>Who waits in order has a ticket in a queue on the server, which lasts for the ttl of the request and is renewed
     * while it waits. A client that dies holds the others up until its tickets run out, all at the same time. Who gives
     * up, is interrupted or cancelled takes its ticket out; if that fails it runs out.
     *
     * <p>It costs two more round trips for each grant: a ticket is taken, and taken out before the lock is handed over.
     * A ticket whose reply is lost is asked for again, and is the same. The lock itself depends on no ticket: who holds
     * it is decided as ever. With any strategy it needs MongoDB 4.4 or newer, for update pipelines, and the right to
     * find, insert, update and remove in the collection with the name of the locks' and {@code .queue}.
     *
     * @return the request that keeps the order
     */
    public LockRequest inOrder() {
        return new LockRequest(name, ttl, waitAtMost, isKeptAlive, true, note);
    }

    /**
     * Gives the same request with a note that is stored while the lock is held, for people who look at it.
     *
     * @param text for example what the work is; up to {@value #MAX_NOTE_BYTES} bytes of UTF-8, no unpaired surrogate
     * @return the request with that note
     * @throws IllegalArgumentException if the text is too long or has an unpaired surrogate
     */
    public LockRequest note(String text) {
        return new LockRequest(name, ttl, waitAtMost, isKeptAlive, isInOrder, Optional.of(text));
    }

    private static void requireNote(String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException("A note has no unpaired surrogate");
        }
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        if (length > MAX_NOTE_BYTES) {
            throw new IllegalArgumentException(
                    "A note has up to " + MAX_NOTE_BYTES + " bytes of UTF-8, but it had " + length);
        }
    }

    private static void requireBetween(String what, Duration least, Duration most, Duration found) {
        if (found.compareTo(least) < 0 || found.compareTo(most) > 0) {
            throw new IllegalArgumentException(what + " is from " + least + " to " + most + ", but it was " + found);
        }
    }
}
