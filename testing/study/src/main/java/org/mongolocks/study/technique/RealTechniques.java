package org.mongolocks.study.technique;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mongolocks.LockName;
import org.mongolocks.spi.LockStrategy;

/**
 * The techniques for real processes: the same as in the simulator, with short leases, because time passes by waiting.
 */
public final class RealTechniques {
    /**
     * The length of every lease: short, because it has to pass, and in whole seconds, because TTL indexes count
     * seconds.
     */
    public static final Duration TTL = Duration.ofSeconds(2);

    private RealTechniques() {}

    /**
     * Returns all techniques.
     *
     * @return the published ones first
     */
    public static List<Technique> all() {
        return Stream.concat(Techniques.textbook(TTL).stream(), Techniques.shipped().stream())
                .toList();
    }

    /** Returns the name of the lock with a number. */
    public static LockName lock(int number) {
        return LockName.of("lock-" + number);
    }

    /**
     * Returns a technique, or a strategy by the name of its class, which must have a constructor without parameters.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Technique named(String name) {
        return all().stream()
                .filter(technique -> technique.name().equals(name))
                .findFirst()
                .or(() -> ofClass(name))
                .orElseThrow(() -> new IllegalArgumentException("No technique '" + name + "'"));
    }

    private static Optional<Technique> ofClass(String name) {
        try {
            LockStrategy strategy = Class.forName(name)
                    .asSubclass(LockStrategy.class)
                    .getDeclaredConstructor()
                    .newInstance();
            return Optional.of(new Technique(
                    name, clock -> strategy, Techniques.shipped().get(0).config()));
        } catch (ReflectiveOperationException | ClassCastException e) {
            return Optional.empty();
        }
    }
}
