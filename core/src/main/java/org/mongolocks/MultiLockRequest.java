package org.mongolocks;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request to acquire several locks at once, all or none: their names, the ttl of the leases, and how long to wait.
 *
 * <p>With a strategy that has the trait {@link org.mongolocks.spi.LockStrategy.Trait#MULTI_LOCK} all locks are acquired
 * in one step, and nothing is held while one of them is awaited. With the other strategies they are acquired one after
 * another, with at least as many round trips as separate acquisitions. The locks acquired so far are kept alive while
 * the client waits for the next one. In both cases an acquisition that does not get all locks leaves nothing held. It
 * releases what it holds at the deadline, after a fault, an interrupt or a cancellation, and when it loses one of the
 * locks.
 *
 * <p>The names are kept in the order of their bytes in UTF-8, which is that of the database. All requests for several
 * locks acquire in that order, so that no two of them deadlock. An owner that holds a lock and then requests others is
 * not covered by that order: request all locks at once. Immutable: each method that changes something returns another
 * request.
 */
public final class MultiLockRequest {
    /** The most locks in one request: 64. */
    public static final int MAX_NAMES = 64;

    private static final Comparator<LockName> AS_THE_DATABASE =
            Comparator.comparing(name -> name.value().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private final List<LockName> names;
    /** The request for the first of them, which has what is asked for each. */
    private final LockRequest each;

    private MultiLockRequest(List<LockName> names, LockRequest each) {
        this.names = names;
        this.each = each;
    }

    /**
     * Creates a request for one attempt, without waiting. The client keeps the locks alive, as one of a
     * {@link LockRequest}.
     *
     * @param names the names of the locks, 1 to {@value #MAX_NAMES}, each once; see {@link LockName}
     * @param ttl the length of each lease, from {@link LockRequest#MIN_TTL} to {@link LockRequest#MAX_TTL}
     * @return the request
     * @throws IllegalArgumentException if there are no names or too many, if a name occurs twice, or if one of them or the
     *     ttl is out of bounds
     */
    public static MultiLockRequest of(Collection<String> names, Duration ttl) {
        Objects.requireNonNull(names, "The names are null");
        if (names.isEmpty() || names.size() > MAX_NAMES) {
            throw new IllegalArgumentException("names must have 1 to " + MAX_NAMES + " elements, had " + names.size());
        }
        List<LockName> sorted =
                names.stream().map(LockName::of).sorted(AS_THE_DATABASE).toList();
        requireDistinct(sorted);
        return new MultiLockRequest(sorted, LockRequest.of(sorted.get(0), ttl));
    }

    /**
     * Returns the names of the locks.
     *
     * @return the names, each once, in the order in which they are acquired
     */
    public List<LockName> names() {
        return names;
    }

    /**
     * Returns the length of each lease.
     *
     * @return the ttl
     */
    public Duration ttl() {
        return each.ttl();
    }

    /**
     * Returns how long to wait for all of them together; zero makes one attempt.
     *
     * @return the wait
     */
    public Duration waitAtMost() {
        return each.waitAtMost();
    }

    /**
     * Returns whether the client renews the leases while the locks are held.
     *
     * @return true if it does; false after {@link #fixedLease()}
     */
    public boolean isKeptAlive() {
        return each.isKeptAlive();
    }

    /**
     * Returns the note for operators; see {@link LockRequest#note(String)}.
     *
     * @return the note, or empty
     */
    public Optional<String> note() {
        return each.note();
    }

    /**
     * Returns when the client stops renewing, counted from when all locks are held; see
     * {@link LockRequest#keepAliveAtMost(Duration)}.
     *
     * @return the limit; empty for none
     */
    public Optional<Duration> keepAliveLimit() {
        return each.keepAliveLimit();
    }

    /**
     * Returns the same request with another wait.
     *
     * @param wait how long to wait for all of them together, from zero to {@link LockRequest#MAX_WAIT}; zero makes one
     *     attempt
     * @return the request with that wait
     * @throws IllegalArgumentException if the wait is out of bounds
     */
    @CheckReturnValue
    public MultiLockRequest waitAtMost(Duration wait) {
        return new MultiLockRequest(names, each.waitAtMost(wait));
    }

    /**
     * Returns the same request for leases that the client does not renew once all locks are held; see
     * {@link LockRequest#fixedLease()}.
     *
     * @return the request with leases of one ttl
     * @throws IllegalArgumentException if the request has a {@linkplain #keepAliveAtMost limit} for its renewals
     */
    @CheckReturnValue
    public MultiLockRequest fixedLease() {
        return new MultiLockRequest(names, each.fixedLease());
    }

    /**
     * Returns the same request for locks that the client keeps alive up to a limit, which counts from when all are held;
     * see {@link LockRequest#keepAliveAtMost(Duration)}.
     *
     * @param limit when the last leases end at the latest, from the ttl to {@link LockRequest#MAX_WAIT}
     * @return the request with keep-alive up to that limit
     * @throws IllegalArgumentException if the limit is out of bounds, or the request asks for a {@link #fixedLease()}
     */
    @CheckReturnValue
    public MultiLockRequest keepAliveAtMost(Duration limit) {
        return new MultiLockRequest(names, each.keepAliveAtMost(limit));
    }

    /**
     * Returns the same request with a note that is stored with each of the locks; see {@link LockRequest#note(String)}.
     *
     * @param text up to {@value LockRequest#MAX_NOTE_BYTES} bytes of UTF-8, no unpaired surrogate
     * @return the request with that note
     * @throws IllegalArgumentException if the text is too long or has an unpaired surrogate
     */
    @CheckReturnValue
    public MultiLockRequest note(String text) {
        return new MultiLockRequest(names, each.note(text));
    }

    /**
     * Returns the request for one of the locks.
     *
     * @param name the name of the lock
     * @return the request for that lock alone
     */
    public LockRequest forOne(LockName name) {
        return each.forLock(name);
    }

    /** Two requests are equal if they ask for the same. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MultiLockRequest request && names.equals(request.names) && each.equals(request.each);
    }

    @Override
    public int hashCode() {
        return Objects.hash(names, each);
    }

    /** Returns a description for logs. */
    @Override
    public String toString() {
        return "MultiLockRequest" + List.of(names, each);
    }

    private static void requireDistinct(List<LockName> names) {
        Set<LockName> seen = new HashSet<>();
        for (LockName name : names) {
            if (!seen.add(name)) {
                throw new IllegalArgumentException("names must be distinct, but '" + name + "' occurs twice");
            }
        }
    }
}
