package org.mongolocks;

import java.io.Serializable;
import java.util.Optional;
import java.util.UUID;

/**
 * Identifies who asks for a lock: one acquisition of one client instance.
 *
 * <p>It is fresh for each acquisition, never a host, a process or a thread. So the same question asked twice, after a
 * reply was lost, finds its own grant; and what a late holder sends can never touch the grant of another.
 *
 * @param instance the client instance: 1 to {@value #MAX_INSTANCE_LENGTH} characters from {@code A-Z a-z 0-9 . _ : -}
 * @param grant the acquisition, random
 */
public record Owner(String instance, UUID grant) implements Serializable {
    /** The longest instance name, in characters. */
    public static final int MAX_INSTANCE_LENGTH = 128;

    private static final char SEPARATOR = '/';

    /**
     * Checks the instance name.
     *
     * @param instance the client instance
     * @param grant the acquisition
     * @throws IllegalArgumentException if the instance name is empty, too long, or has another character
     */
    public Owner {
        requireInstance(instance);
    }

    static void requireInstance(String instance) {
        if (!isInstanceName(instance)) {
            throw new IllegalArgumentException("An instance name has 1 to " + MAX_INSTANCE_LENGTH
                    + " characters from A-Z a-z 0-9 . _ : - but it was '" + instance + "'");
        }
    }

    /**
     * Gives what the stored forms of all owners of one client instance begin with, and no other does.
     *
     * @param instance the client instance
     * @return the beginning
     */
    public static String storedPrefix(String instance) {
        return instance + SEPARATOR;
    }

    /**
     * Gives the form that is stored in the lock document, {@code instance/grant}.
     *
     * @return the stored form
     */
    public String stored() {
        return storedPrefix(instance) + grant;
    }

    /**
     * Reads the form that {@link #stored()} gives.
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

    /** Gives the stored form. */
    @Override
    public String toString() {
        return stored();
    }

    private static boolean isInstanceName(String value) {
        return !value.isEmpty() && value.length() <= MAX_INSTANCE_LENGTH && hasInstanceCharactersOnly(value);
    }

    /** A loop, for each acquisition makes an owner. */
    private static boolean hasInstanceCharactersOnly(String value) {
        for (int index = 0; index < value.length(); index++) {
            if (!isInstanceCharacter(value.charAt(index))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isInstanceCharacter(int c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || "._:-".indexOf(c) >= 0;
    }
}
