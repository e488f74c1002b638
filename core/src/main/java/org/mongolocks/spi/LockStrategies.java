package org.mongolocks.spi;

import static java.lang.System.Logger.Level.WARNING;
import static java.util.stream.Collectors.joining;

import java.security.CodeSource;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.spi.LockStrategy.Trait;

/**
 * The strategies on the class path and the module path: those that the class loader of this library finds, and the context
 * class loader of the calling thread.
 */
public final class LockStrategies {
    /** Everything in one command, and nothing that the server must have. */
    private static final String DEFAULT = "findandmodify-counter";

    private static final String ARTIFACT = "org.mongolocks:mongo-locks-strategy-";

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

    /**
     * Returns the strategy of a client that names none: the only one, or {@code findandmodify-counter} if it is one of
     * several. That choice is logged.
     *
     * @param found the strategies
     * @return the strategy
     * @throws IllegalStateException if there are none, or several without that one; the message lists them
     */
    public static LockStrategy defaultOf(List<LockStrategy> found) {
        List<String> names = found.stream().map(LockStrategy::name).toList();
        int chosen = names.size() == 1 ? 0 : names.indexOf(DEFAULT);
        if (chosen < 0) {
            throw new IllegalStateException("A lock client needs a strategy: "
                    + (names.isEmpty()
                            ? "add the artifact of one, such as " + ARTIFACT + DEFAULT
                            : "call strategy(name)")
                    + ". Found: " + names);
        }
        if (names.size() > 1) {
            System.getLogger("org.mongolocks")
                    .log(
                            WARNING,
                            "Of the lock strategies " + names + " '" + DEFAULT
                                    + "' is used. Clients with another strategy do not"
                                    + " exclude this one: name it, by strategy(name)");
        }
        return found.get(chosen);
    }

    /**
     * Asks the loader of the calling thread, or, if that knows no strategy, that of this type: a thread may have no loader,
     * or that of another application.
     */
    private static LockStrategies load() {
        return of(() -> Stream.of(Thread.currentThread().getContextClassLoader(), LockStrategy.class.getClassLoader())
                .filter(LockStrategies::knowsThisType)
                .map(loader -> ServiceLoader.load(LockStrategy.class, loader).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList())
                .filter(found -> !found.isEmpty())
                .findFirst()
                .orElse(List.of())
                .iterator());
    }

    /** A loader that cannot answer, as that of a stopped application, knows nothing. */
    private static boolean knowsThisType(@Nullable ClassLoader loader) {
        try {
            return Class.forName(LockStrategy.class.getName(), false, loader) == LockStrategy.class;
        } catch (ClassNotFoundException | LinkageError | IllegalStateException e) {
            return false;
        }
    }

    static LockStrategies of(Iterable<LockStrategy> found) {
        return new LockStrategies(found);
    }

    LockStrategy get(String name) {
        LockStrategy strategy = byName.get(name);
        if (strategy == null) {
            throw new IllegalArgumentException("No lock strategy is named '" + name + "'. Found: "
                    + (byName.isEmpty() ? "none" : list())
                    + ". The artifact of a strategy of this project is " + ARTIFACT + "<name>");
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
