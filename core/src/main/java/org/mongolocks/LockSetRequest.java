package org.mongolocks;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Asks for several locks at once, all or none: which ones, for how long, and how long to wait for them.
 *
 * <p>With a strategy that has the trait {@link org.mongolocks.spi.Trait#MULTI_LOCK} all are taken in one step, and nothing
 * is held while one of them is waited for. With the others they are taken one after another, at least as many round trips
 * as for each by itself, and what was got is kept alive while the next is waited for. In both cases nothing stays of an
 * acquisition that does not get all: it gives back what it has, at the deadline, after a fault, an interrupt or a
 * cancellation, and when it loses one of them meanwhile.
 *
 * <p>The names are kept in the order of their bytes in UTF-8, which is that of the database. All who ask for several
 * locks ask in that order, so that no two of them wait for each other in a circle. Who holds a lock and asks for others is
 * not part of that order: ask for all at once.
 *
 * @param names what to lock: 1 to {@value #MOST} names, each once; kept sorted
 * @param ttl the length of each lease, from {@link LockRequest#MIN_TTL} to {@link LockRequest#MAX_TTL}
 * @param waitAtMost how long to wait for all of them together, from zero to {@link LockRequest#MAX_WAIT}; zero asks once
 * @param isKeptAlive whether the client renews the leases while the locks are held; see {@link LockRequest#keepAlive()}
 * @param note what the holder wants people to know who look at one of the locks; see {@link LockRequest#note(String)}
 */
public record LockSetRequest(
        List<LockName> names, Duration ttl, Duration waitAtMost, boolean isKeptAlive, Optional<String> note) {
    /** The most locks that can be asked for at once. */
    public static final int MOST = 64;

    private static final Comparator<LockName> AS_THE_DATABASE =
            Comparator.comparing(name -> name.value().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    /**
     * Checks the bounds and sorts the names.
     *
     * @param names what to lock
     * @param ttl the length of each lease
     * @param waitAtMost how long to wait
     * @param isKeptAlive whether the client renews the leases
     * @param note what people should know who look at one of the locks
     * @throws IllegalArgumentException if there are no names or too many, if a name is there twice, or if one of the
     *     others is out of bounds as for a {@link LockRequest}
     */
    public LockSetRequest {
        if (names.isEmpty() || names.size() > MOST) {
            throw new IllegalArgumentException(
                    "A set of locks has 1 to " + MOST + " names, but it had " + names.size());
        }
        requireDistinct(names);
        names = names.stream().sorted(AS_THE_DATABASE).toList();
        new LockRequest(names.get(0), ttl, waitAtMost, isKeptAlive, false, note);
    }

    /**
     * Asks once for several locks, without waiting.
     *
     * @param names what to lock, 1 to {@value #MOST} names, each once; see {@link LockName}
     * @param ttl the length of each lease, from {@link LockRequest#MIN_TTL} to {@link LockRequest#MAX_TTL}
     * @return the request
     * @throws IllegalArgumentException if the names, one of them or the ttl is out of bounds
     */
    public static LockSetRequest of(Collection<String> names, Duration ttl) {
        List<LockName> locks = names.stream().map(LockName::of).toList();
        return new LockSetRequest(locks, ttl, Duration.ZERO, false, Optional.empty());
    }

    /**
     * Gives the same request with another wait.
     *
     * @param wait how long to wait for all of them together, from zero to {@link LockRequest#MAX_WAIT}; zero asks once
     * @return the request with that wait
     * @throws IllegalArgumentException if the wait is out of bounds
     */
    public LockSetRequest waitAtMost(Duration wait) {
        return new LockSetRequest(names, ttl, wait, isKeptAlive, note);
    }

    /**
     * Gives the same request for locks that the client keeps alive; see {@link LockRequest#keepAlive()}.
     *
     * @return the request with keep-alive
     */
    public LockSetRequest keepAlive() {
        return new LockSetRequest(names, ttl, waitAtMost, true, note);
    }

    /**
     * Gives the same request with a note that is stored with each of the locks; see {@link LockRequest#note(String)}.
     *
     * @param text up to {@value LockRequest#MAX_NOTE_BYTES} bytes of UTF-8, no unpaired surrogate
     * @return the request with that note
     * @throws IllegalArgumentException if the text is too long or has an unpaired surrogate
     */
    public LockSetRequest note(String text) {
        return new LockSetRequest(names, ttl, waitAtMost, isKeptAlive, Optional.of(text));
    }

    /**
     * Gives the request for one of the locks.
     *
     * @param name which
     * @return the request for it alone
     */
    public LockRequest forOne(LockName name) {
        return new LockRequest(name, ttl, waitAtMost, isKeptAlive, false, note);
    }

    private static void requireDistinct(List<LockName> names) {
        Set<LockName> seen = new HashSet<>();
        for (LockName name : names) {
            if (!seen.add(name)) {
                throw new IllegalArgumentException(
                        "A set of locks has each name once, but '" + name + "' was there twice");
            }
        }
    }
}
