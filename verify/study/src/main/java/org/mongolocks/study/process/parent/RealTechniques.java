package org.mongolocks.study.process.parent;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.LockName;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/**
 * The techniques for real processes: the same as in the simulator, with short leases, because time passes by waiting.
 */
public final class RealTechniques {
    /**
     * The length of every lease: short, because it has to pass, and in whole seconds, because TTL indexes count
     * seconds.
     */
    public static final Duration TTL = Duration.ofSeconds(2);

    public static final LockName LOCK = LockName.of("the-lock");

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

    public static Technique named(String name) {
        return all().stream()
                .filter(technique -> technique.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No technique '" + name + "'"));
    }
}
