package org.mongolocks;

import java.io.Serializable;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The identity that asks for a lock: one acquisition of one client instance.
 *
 * <p>It is fresh for each acquisition, never derived from a host, a process or a thread. A retry after a lost reply
 * therefore finds its own grant, and a late command of a former holder never touches the grant of another owner.
 * Immutable.
 *
 * @param instance the client instance: 1 to {@value #MAX_INSTANCE_LENGTH} characters from {@code A-Z a-z 0-9 . _ : -}
 * @param grant the random part, new for each acquisition
 */
public record Owner(String instance, UUID grant) implements Serializable {
    /** The longest instance name, in characters. */
    public static final int MAX_INSTANCE_LENGTH = 128;

    private static final char SEPARATOR = '/';
    private static final String RELEASED = SEPARATOR + "released";

    /**
     * Checks the instance name.
     *
     * @param instance the client instance
     * @param grant the random part
     * @throws IllegalArgumentException if the instance name is empty, too long, or has another character
     */
    public Owner {
        requireInstance(instance);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Owner owner && instance.equals(owner.instance) && grant.equals(owner.grant);
    }

    @Override
    public int hashCode() {
        return grant.hashCode();
    }

    static void requireInstance(String instance) {
        if (!isInstanceName(instance)) {
            throw new IllegalArgumentException("instance name must have 1 to " + MAX_INSTANCE_LENGTH
                    + " characters from A-Z a-z 0-9 . _ : -, was '" + instance + "'");
        }
    }

    /**
     * Returns the common prefix of the stored forms of all owners of one client instance; no other owner has it.
     *
     * @param instance the client instance
     * @return the prefix
     */
    public static String storedPrefix(String instance) {
        return instance + SEPARATOR;
    }

    /**
     * Returns the form that is stored in the lock document, {@code instance/grant}.
     *
     * @return the stored form
     */
    public String stored() {
        // Not by storedPrefix, which creates a string: each command stores or compares an owner.
        return instance + SEPARATOR + grant;
    }

    /**
     * Returns what a lock document stores instead of {@link #stored()} after a release before the minimum hold has
     * passed: the lock is held, and no owner can renew or release it.
     *
     * @return the stored form and {@code /released}
     */
    public String storedAfterRelease() {
        return stored() + RELEASED;
    }

    /**
     * Returns whether a stored value is that of {@link #storedAfterRelease()}.
     *
     * @param stored the value of the field {@code owner}
     * @return true if no owner holds the lock, which stays held until the end of a minimum hold
     */
    public static boolean isStoredAfterRelease(String stored) {
        return stored.endsWith(RELEASED);
    }

    /**
     * Parses the form that {@link #stored()} returns.
     *
     * @param stored a value found in a lock document
     * @return the owner, or empty if the value was not written by this library
     */
    public static Optional<Owner> parse(String stored) {
        int separator = stored.lastIndexOf(SEPARATOR);
        if (separator < 0 || !isInstanceName(stored.substring(0, separator))) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new Owner(stored.substring(0, separator), UUID.fromString(stored.substring(separator + 1))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns the stored form. */
    @Override
    public String toString() {
        return stored();
    }

    private static boolean isInstanceName(String value) {
        boolean isValid = !value.isEmpty() && value.length() <= MAX_INSTANCE_LENGTH;
        for (int index = 0; isValid && index < value.length(); index++) {
            char c = value.charAt(index);
            isValid = (c >= 'A' && c <= 'Z')
                    || (c >= 'a' && c <= 'z')
                    || (c >= '0' && c <= '9')
                    || "._:-".indexOf(c) >= 0;
        }
        return isValid;
    }
}
