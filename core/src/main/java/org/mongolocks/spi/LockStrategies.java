package org.mongolocks.spi;

import static java.util.stream.Collectors.joining;

import java.security.CodeSource;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.mongolocks.LockException;
import org.mongolocks.spi.LockStrategy.Trait;

/** The strategies on the class path and the module path. */
public final class LockStrategies {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");

    private static final List<Trait> EXCLUSIVE = List.of(Trait.SERVER_CLOCK, Trait.CLOCK_FREE);

    private final Map<String, LockStrategy> byName = new TreeMap<>();

    private LockStrategies(Iterable<LockStrategy> found) {
        try {
            found.forEach(this::add);
        } catch (ServiceConfigurationError | LinkageError e) {
            String cause = e.getCause() == null ? "" : ": " + e.getCause();
            throw new LockException("A lock strategy cannot be loaded: " + e.getMessage() + cause, e);
        }
    }

    /**
     * Returns the strategy with a name.
     *
     * @param name the name
     * @return the strategy
     * @throws IllegalArgumentException if there is none; the message lists those that are present, with their locations
     * @throws LockException if two strategies have the same name, or one cannot be loaded, has an invalid name, or
     *     declares traits that exclude each other
     */
    public static LockStrategy named(String name) {
        return load().get(name);
    }

    /**
     * Returns all strategies.
     *
     * @return the strategies, by name
     * @throws LockException if two strategies have the same name, or one cannot be loaded, has an invalid name, or
     *     declares traits that exclude each other
     */
    public static List<LockStrategy> all() {
        return List.copyOf(load().byName.values());
    }

    private static LockStrategies load() {
        return of(ServiceLoader.load(LockStrategy.class));
    }

    static LockStrategies of(Iterable<LockStrategy> found) {
        return new LockStrategies(found);
    }

    LockStrategy get(String name) {
        LockStrategy strategy = byName.get(name);
        if (strategy == null) {
            throw new IllegalArgumentException("No lock strategy is named '" + name + "'. Found: "
                    + (byName.isEmpty() ? "none; add the artifact of a strategy to the class path" : list()));
        }
        return strategy;
    }

    private void add(LockStrategy strategy) {
        String name = strategy.name();
        if (!NAME.matcher(name).matches()) {
            throw new LockException(
                    "The name of a lock strategy must consist of lower-case letters, digits and hyphens, but "
                            + describe(strategy) + " is named '" + name + "'");
        }
        if (strategy.traits().containsAll(EXCLUSIVE)) {
            throw new LockException("A lock strategy declares one of " + EXCLUSIVE + " at most, but "
                    + describe(strategy) + " declares both");
        }
        LockStrategy other = byName.putIfAbsent(name, strategy);
        if (other != null) {
            throw new LockException("Two lock strategies are named '" + name + "': " + describe(other) + " and "
                    + describe(strategy) + ". Remove one of them from the class path.");
        }
    }

    private String list() {
        return byName.values().stream()
                .map(strategy -> strategy.name() + " (" + place(strategy) + ")")
                .collect(joining(", "));
    }

    private static String describe(LockStrategy strategy) {
        return strategy.getClass().getName() + " in " + place(strategy);
    }

    private static String place(LockStrategy strategy) {
        CodeSource source = strategy.getClass().getProtectionDomain().getCodeSource();
        return source == null ? "an unknown location" : String.valueOf(source.getLocation());
    }
}
