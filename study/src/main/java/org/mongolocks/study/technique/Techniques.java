package org.mongolocks.study.technique;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;

/** Has all techniques of the study. */
public final class Techniques {
    /** The length of every lease of the study: the article's demonstration of P5 has the same. */
    public static final Duration TTL = Duration.ofSeconds(10);

    private Techniques() {}

    /**
     * Lists the published techniques.
     *
     * @return the techniques, in the order of the articles
     */
    public static List<Technique> textbook() {
        return List.of(new Technique(
                UniqueInsertWithTtl.NAME,
                clock -> new UniqueInsertWithTtl(clock, TTL),
                Habits.textbook(Duration.ofSeconds(3), Duration.ofDays(1)).keptAlive()));
    }

    /**
     * Lists the strategies that ship.
     *
     * @return the techniques
     */
    public static List<Technique> shipped() {
        return LockStrategies.all().stream()
                .sorted(Comparator.comparing(LockStrategy::name))
                .map(strategy -> new Technique(strategy.name(), clock -> strategy, Habits.shipped()))
                .toList();
    }

    /**
     * Lists all.
     *
     * @return the published ones first
     */
    public static List<Technique> all() {
        return Stream.concat(textbook().stream(), shipped().stream()).toList();
    }
}
