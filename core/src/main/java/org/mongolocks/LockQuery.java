package org.mongolocks;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The filter and the cursor of a list of locks. A page has the locks in the order of their names, by the bytes of
 * UTF-8. Immutable: each method that changes something returns another query.
 */
public final class LockQuery {
    /** The longest page: 1000 locks. */
    public static final int MAX_LIMIT = 1000;
    /** The default length of a page: 100 locks. */
    public static final int DEFAULT_LIMIT = 100;

    private final String prefix;
    private final boolean isHeldOnly;
    private final Optional<String> instance;
    private final Optional<String> after;
    private final int limit;

    private LockQuery(String prefix, boolean isHeldOnly, Optional<String> instance, Optional<String> after, int limit) {
        this.prefix = Objects.requireNonNull(prefix, "The prefix is null");
        this.isHeldOnly = isHeldOnly;
        this.instance = instance;
        this.after = after;
        this.limit = limit;
        requireText("prefix", prefix);
        requireLength(prefix);
        after.ifPresent(name -> requireText("after", name));
        instance.ifPresent(Owner::requireInstance);
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit must be from 1 to " + MAX_LIMIT + ", was " + limit);
        }
    }

    /**
     * Returns a query for all locks of the collection.
     *
     * @return the query
     */
    public static LockQuery all() {
        return new LockQuery("", false, Optional.empty(), Optional.empty(), DEFAULT_LIMIT);
    }

    /**
     * Returns the literal prefix of the names: no character of it is special.
     *
     * @return the prefix; empty for all names
     */
    public String prefix() {
        return prefix;
    }

    /**
     * Returns whether only held locks are shown; in a mode without clocks, those that were not released.
     *
     * @return true if only these are shown
     */
    public boolean isHeldOnly() {
        return isHeldOnly;
    }

    /**
     * Returns the client instance that holds the locks ({@link Owner#instance()}).
     *
     * @return the instance; empty for any, or none
     */
    public Optional<String> instance() {
        return instance;
    }

    /**
     * Returns the name after which the page begins; see {@link LockPage#next()}.
     *
     * @return the name; empty for the first page
     */
    public Optional<String> after() {
        return after;
    }

    /**
     * Returns the most locks in a page.
     *
     * @return the limit, from 1 to {@value #MAX_LIMIT}
     */
    public int limit() {
        return limit;
    }

    /**
     * Returns the same query for names that begin with a text.
     *
     * @param text the text, up to {@link LockName#MAX_BYTES} bytes of UTF-8; empty for all names
     * @return the query with that prefix
     * @throws IllegalArgumentException if the text is too long, or has an unpaired surrogate
     */
    @CheckReturnValue
    public LockQuery prefix(String text) {
        return new LockQuery(text, isHeldOnly, instance, after, limit);
    }

    /**
     * Returns the same query for held locks only.
     *
     * @return the query for held locks
     */
    @CheckReturnValue
    public LockQuery heldOnly() {
        return new LockQuery(prefix, true, instance, after, limit);
    }

    /**
     * Returns the same query for locks held by one client instance.
     *
     * @param name the instance, as in {@link LockClientBuilder#instance}
     * @return the query for that instance
     * @throws IllegalArgumentException if the name is not a valid instance name
     */
    @CheckReturnValue
    public LockQuery instance(String name) {
        Objects.requireNonNull(name, "The name of the instance is null");
        return new LockQuery(prefix, isHeldOnly, Optional.of(name), after, limit);
    }

    /**
     * Returns the same query for names after a name.
     *
     * @param name the value of {@link LockPage#next()}
     * @return the query for the next page
     * @throws IllegalArgumentException if the name has an unpaired surrogate
     */
    @CheckReturnValue
    public LockQuery after(String name) {
        Objects.requireNonNull(name, "The name is null");
        return new LockQuery(prefix, isHeldOnly, instance, Optional.of(name), limit);
    }

    /**
     * Returns the same query with another page length.
     *
     * @param most the most locks in a page, from 1 to {@value #MAX_LIMIT}
     * @return the query with that limit
     * @throws IllegalArgumentException if the limit is out of bounds
     */
    @CheckReturnValue
    public LockQuery limit(int most) {
        return new LockQuery(prefix, isHeldOnly, instance, after, most);
    }

    /** Two queries are equal if they ask for the same. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockQuery query && parts().equals(query.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    /** Returns a description for logs. */
    @Override
    public String toString() {
        return "LockQuery" + parts();
    }

    private List<Object> parts() {
        return List.of(prefix, isHeldOnly, instance, after, limit);
    }

    private static void requireText(String what, String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException(what + " must not have an unpaired surrogate");
        }
    }

    private static void requireLength(String prefix) {
        int length = prefix.getBytes(StandardCharsets.UTF_8).length;
        if (length > LockName.MAX_BYTES) {
            throw new IllegalArgumentException(
                    "prefix must have at most " + LockName.MAX_BYTES + " bytes of UTF-8, had " + length);
        }
    }
}
