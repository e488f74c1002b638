package org.mongolocks.study.process;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.LockName;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/** Has the techniques as real processes use them: the same as in the simulator, with leases that really pass. */
public final class RealTechniques {
    /** The length of every lease: short, because it is waited for; whole seconds, because indexes count those. */
    static final Duration TTL = Duration.ofSeconds(2);

    static final LockName LOCK = LockName.of("the-lock");

    private RealTechniques() {}

    /**
     * Lists all.
     *
     * @return the published ones first
     */
    public static List<Technique> all() {
        return Stream.concat(Techniques.textbook(TTL).stream(), Techniques.shipped().stream())
                .toList();
    }

    static Technique named(String name) {
        return all().stream()
                .filter(technique -> technique.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No technique '" + name + "'"));
    }
}
