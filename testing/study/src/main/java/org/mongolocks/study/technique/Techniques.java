package org.mongolocks.study.technique;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.LockException;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.study.technique.FlagTextbook.FlagByUpdate;
import org.mongolocks.study.technique.Technique.TechniqueConfig;
import org.mongolocks.study.technique.VersionTextbook.UpdateWithOptimisticLock;
import org.mongolocks.study.technique.VersionTextbook.VersionByFindAndModify;
import org.mongolocks.study.technique.VersionTextbook.VersionByUpdate;

/** All techniques of the study. */
public final class Techniques {
    /** The length of every lease of the study, which is that of the article's demonstration of P5. */
    public static final Duration TTL = Duration.ofSeconds(10);

    /** The wait between attempts in most articles; P2 leaves it to its caller. */
    private static final Duration POLL = Duration.ofMillis(100);

    private Techniques() {}

    /**
     * Returns the published techniques.
     *
     * @return the techniques, in the order of the articles
     */
    public static List<Technique> textbook() {
        return textbook(TTL);
    }

    /**
     * Returns the published techniques with leases of another length.
     *
     * @param ttl the length, in whole seconds
     * @return the techniques, in the order of the articles
     */
    public static List<Technique> textbook(Duration ttl) {
        TechniqueConfig flag =
                TechniqueConfig.textbook(POLL, Duration.ofSeconds(5)).withoutLease();
        TechniqueConfig optimistic =
                TechniqueConfig.textbook(POLL, Duration.ZERO).optimistic();
        return List.of(
                new Technique(
                        TransactionWrappedInsert.NAME,
                        clock -> new TransactionWrappedInsert(clock, ttl),
                        TechniqueConfig.textbook(POLL, POLL.multipliedBy(10))),
                new Technique(
                        CounterWithExpiry.NAME,
                        clock -> new CounterWithExpiry(clock, ttl),
                        TechniqueConfig.textbook(POLL, Duration.ofSeconds(5))),
                new Technique(FlagByUpdate.NAME, clock -> new FlagByUpdate(), flag),
                new Technique(VersionByUpdate.NAME, clock -> new VersionByUpdate(), optimistic),
                new Technique(VersionByFindAndModify.NAME, clock -> new VersionByFindAndModify(), optimistic),
                new Technique(UpdateWithOptimisticLock.NAME, clock -> new UpdateWithOptimisticLock(), optimistic),
                new Technique(
                        UniqueInsertWithTtl.NAME,
                        clock -> new UniqueInsertWithTtl(clock, ttl),
                        TechniqueConfig.textbook(Duration.ofSeconds(3), Duration.ofDays(1))
                                .keptAlive()));
    }

    /**
     * Returns the strategies of the library, and others on the class path.
     *
     * @throws IllegalArgumentException if a strategy cannot be loaded, or two have the same name
     */
    public static List<Technique> shipped() {
        return strategies().stream()
                .sorted(Comparator.comparing(LockStrategy::name))
                .map(strategy -> new Technique(strategy.name(), clock -> strategy, TechniqueConfig.shipped()))
                .toList();
    }

    private static List<LockStrategy> strategies() {
        try {
            return LockStrategies.all();
        } catch (LockException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /**
     * Returns all techniques.
     *
     * @return the published ones first
     */
    public static List<Technique> all() {
        return Stream.concat(textbook().stream(), shipped().stream()).toList();
    }
}
