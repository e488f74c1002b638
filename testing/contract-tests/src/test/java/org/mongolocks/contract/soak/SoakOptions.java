package org.mongolocks.contract.soak;

import com.mongodb.ConnectionString;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The options of the user; the file {@code usage.txt} explains them.
 *
 * @param length the duration of the run
 * @param uri the server, or empty for the embedded one
 * @param seed determines the faults
 */
record SoakOptions(Duration length, Optional<String> uri, long seed) {
    private static final Set<String> KNOWN = Set.of("--minutes", "--uri", "--seed");
    private static final long MAX_MINUTES = 10_000;

    /** Reports invalid arguments in one line. */
    static final class UnusableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnusableException(String message) {
            super(message + " (see --help)");
        }
    }

    static SoakOptions parse(String... arguments) throws UnusableException {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            put(given, arguments[i], i + 1 < arguments.length ? arguments[i + 1] : "");
        }
        long minutes = number("--minutes", given.getOrDefault("--minutes", "10"));
        if (minutes < 1 || minutes > MAX_MINUTES) {
            throw new UnusableException("--minutes must be from 1 to " + MAX_MINUTES + ", was " + minutes);
        }
        String seed = given.getOrDefault("--seed", Integer.toString(new SecureRandom().nextInt(1_000_000)));
        Optional<String> uri = Optional.ofNullable(given.get("--uri"));
        requireUsable(uri);
        return new SoakOptions(Duration.ofMinutes(minutes), uri, number("--seed", seed));
    }

    private static void put(Map<String, String> given, String option, String value) throws UnusableException {
        if (!KNOWN.contains(option)) {
            throw new UnusableException(
                    "unknown option '" + option + "'; known: " + String.join(", ", new TreeSet<>(KNOWN)));
        }
        if (value.isBlank()) {
            throw new UnusableException(option + " needs a value");
        }
        if (given.put(option, value) != null) {
            throw new UnusableException(option + " was given twice");
        }
    }

    private static long number(String option, String value) throws UnusableException {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new UnusableException(option + " must be a whole number, was '" + value + "'");
        }
    }

    private static void requireUsable(Optional<String> uri) throws UnusableException {
        try {
            boolean encrypted = Boolean.TRUE.equals(uri.map(ConnectionString::new)
                    .map(ConnectionString::getSslEnabled)
                    .orElse(false));
            if (encrypted) {
                throw new UnusableException("--uri asks for TLS, which the proxy that injects faults cannot read");
            }
        } catch (IllegalArgumentException e) {
            throw new UnusableException("--uri must be a connection string");
        }
    }
}
