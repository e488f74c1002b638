package org.mongolocks;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Says which locks to list. A page has the locks in the order of their names, by the bytes of UTF-8.
 *
 * @param prefix what their names begin with, as it is: no character of it has a meaning; empty for all names
 * @param isHeldOnly whether only locks are shown that are held; in a mode without clocks, those that were not released
 * @param instance the client instance that holds them ({@link Owner#instance()}); empty for any, or none
 * @param after shows only names after this one, in a next page; see {@link LockPage#next()}
 * @param limit how many to show at most, from 1 to {@value #MAX_LIMIT}
 */
public record LockQuery(
        String prefix, boolean isHeldOnly, Optional<String> instance, Optional<String> after, int limit) {
    /** The longest page: 1000 locks. */
    public static final int MAX_LIMIT = 1000;
    /** The length of a page unless another is set: 100 locks. */
    public static final int DEFAULT_LIMIT = 100;

    /**
     * Checks the parts.
     *
     * @param prefix what the names begin with
     * @param isHeldOnly whether only held locks are shown
     * @param instance the client instance that holds them
     * @param after shows only names after this one
     * @param limit how many to show at most
     * @throws IllegalArgumentException if the limit is out of bounds, the prefix is longer than a lock's name
     *     ({@link LockName#MAX_BYTES} bytes of UTF-8), it or the name after which to begin has an unpaired surrogate, or
     *     no {@link Owner} can have that instance
     */
    public LockQuery {
        requireText("A prefix", prefix);
        requireLength(prefix);
        after.ifPresent(name -> requireText("A name", name));
        instance.ifPresent(Owner::requireInstance);
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("A page has from 1 to " + MAX_LIMIT + " locks, but it was " + limit);
        }
    }

    /**
     * Shows all locks of the collection.
     *
     * @return the query
     */
    public static LockQuery all() {
        return new LockQuery("", false, Optional.empty(), Optional.empty(), DEFAULT_LIMIT);
    }

    /**
     * Gives the same query for names that begin with a text.
     *
     * @param text the text, up to {@link LockName#MAX_BYTES} bytes of UTF-8; empty for all names
     * @return the query with that prefix
     * @throws IllegalArgumentException if the text is too long, or has an unpaired surrogate
     */
    public LockQuery prefix(String text) {
        return new LockQuery(text, isHeldOnly, instance, after, limit);
    }

    /**
     * Gives the same query for locks that are held.
     *
     * @return the query for those
     */
    public LockQuery heldOnly() {
        return new LockQuery(prefix, true, instance, after, limit);
    }

    /**
     * Gives the same query for locks that one client instance has.
     *
     * @param name the instance, as in {@link LockClientBuilder#instance}
     * @return the query for those
     * @throws IllegalArgumentException if no instance can have that name
     */
    public LockQuery instance(String name) {
        return new LockQuery(prefix, isHeldOnly, Optional.of(name), after, limit);
    }

    /**
     * Gives the query for what comes after a name.
     *
     * @param name what {@link LockPage#next()} gave
     * @return the query for the next page
     */
    public LockQuery after(String name) {
        return new LockQuery(prefix, isHeldOnly, instance, Optional.of(name), limit);
    }

    /**
     * Gives the same query with pages of another length.
     *
     * @param most how many locks a page has at most, from 1 to {@value #MAX_LIMIT}
     * @return the query for such pages
     * @throws IllegalArgumentException if the limit is out of bounds
     */
    public LockQuery limit(int most) {
        return new LockQuery(prefix, isHeldOnly, instance, after, most);
    }

    private static void requireText(String what, String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException(what + " has no unpaired surrogate");
        }
    }

    private static void requireLength(String prefix) {
        int length = prefix.getBytes(StandardCharsets.UTF_8).length;
        if (length > LockName.MAX_BYTES) {
            throw new IllegalArgumentException(
                    "A prefix has up to " + LockName.MAX_BYTES + " bytes of UTF-8, but it had " + length);
        }
    }
}
