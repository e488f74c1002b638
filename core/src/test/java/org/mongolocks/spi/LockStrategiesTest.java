package org.mongolocks.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockException;
import org.mongolocks.internal.DescribedStrategy;
import org.mongolocks.internal.LogHandler;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.lease.LeaseDocument;
import org.mongolocks.spi.lease.LeaseDocumentStrategy;

class LockStrategiesTest {
    @Test
    void strategyIsFoundByItsName() {
        LockStrategy one = named("one");

        assertThat(LockStrategies.of(List.of(one, named("two"))).get("one")).isSameAs(one);
    }

    @Test
    void unknownNameIsReportedWithTheKnownNames() {
        LockStrategies found = LockStrategies.of(List.of(named("two"), named("one")));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> found.get("three"))
                .withMessageContaining("No lock strategy is named 'three'")
                .withMessageMatching(".*Found: one \\(file:.*\\), two \\(file:.*\\)\\. The artifact of .*");
    }

    @Test
    void aClientThatNamesNoneHasTheOnlyOneOrTheDefault() {
        LockStrategy one = named("one");
        LockStrategy usual = named("findandmodify-counter");

        assertThat(LockStrategies.defaultOf(List.of(one))).isSameAs(one);
        assertThat(LockStrategies.defaultOf(List.of(one, usual))).isSameAs(usual);
        assertThatIllegalStateException()
                .isThrownBy(() -> LockStrategies.defaultOf(List.of(one, named("two"))))
                .withMessageContaining("call strategy(name). Found: [one, two]");
        assertThatIllegalStateException()
                .isThrownBy(() -> LockStrategies.defaultOf(List.of()))
                .withMessageContaining("org.mongolocks:mongo-locks-strategy-findandmodify-counter");
    }

    @Test
    void oneLineOfTheLogSaysWhichWasChosenAmongSeveral() {
        Logger logger = Logger.getLogger("org.mongolocks");
        List<String> lines = new ArrayList<>();
        LogHandler handler = new LogHandler(entry -> lines.add(entry.getLevel() + " " + entry.getMessage()));
        logger.addHandler(handler);
        try {
            LockStrategy alone = LockStrategies.defaultOf(List.of(named("alone")));
            LockStrategy chosen =
                    LockStrategies.defaultOf(List.of(named("first"), named("findandmodify-counter"), named("second")));
            assertThat(List.of(alone.name(), chosen.name())).containsExactly("alone", "findandmodify-counter");
        } finally {
            logger.removeHandler(handler);
        }

        assertThat(lines)
                .filteredOn(line -> line.contains("findandmodify-counter") || line.contains("alone"))
                .singleElement()
                .asString()
                .startsWith("WARNING ")
                .contains("'findandmodify-counter' is used", "first", "second", "strategy(name)");
    }

    @Test
    void emptyClassPathIsNamedInTheError() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockStrategies.named("any"))
                .withMessageContaining(
                        "Found: none. The artifact of a strategy of this project is org.mongolocks:mongo-locks-");
    }

    @Test
    void twoStrategiesOfOneNameAreRefusedWithBothPlaces() {
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> LockStrategies.of(List.of(named("one"), named("one"))))
                .withMessageContaining("Two lock strategies are named 'one'")
                .withMessageMatching(".*DescribedStrategy in file:.* and .*DescribedStrategy in file:.*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "One", "a b", "-a", "a-", "a--b", "1a", "a_b"})
    void anImproperNameIsRefused(String name) {
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> LockStrategies.of(List.of(named(name))))
                .withMessageContaining("lower-case letters, digits and hyphens");
    }

    @ParameterizedTest
    @CsvSource({
        "ThrowsInItsConstructor, could not be instantiated: java.lang.IllegalStateException: no configuration",
        "HasNoPublicConstructor, Unable to get public no-arg constructor: java.lang.NoSuchMethodException",
        "IsNoStrategy, not a subtype",
        "IsMissing, not found"
    })
    void strategyThatCannotBeLoadedIsNamedWithTheCause(String type, String reason, @TempDir Path directory)
            throws Exception {
        String provider = LockStrategiesTest.class.getName() + "$" + type;
        Path services = directory.resolve("META-INF/services");
        Files.createDirectories(services);
        Files.writeString(services.resolve(LockStrategy.class.getName()), provider);

        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
            assertThatExceptionOfType(LockException.class)
                    .isThrownBy(() -> LockStrategies.of(ServiceLoader.load(LockStrategy.class, loader)))
                    .withMessageStartingWith("A lock strategy cannot be loaded: ")
                    .withMessageContainingAll(provider, reason);
        }
    }

    @Test
    void strategyWithoutItsLibraryIsRefused() {
        Iterable<LockStrategy> found = () -> {
            throw new NoClassDefFoundError("com/example/Library");
        };

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> LockStrategies.of(found))
                .withMessage("A lock strategy cannot be loaded: com/example/Library");
    }

    @Test
    void traitsThatExcludeEachOtherAreRefused() {
        LockStrategy both =
                new DescribedStrategy("both", Set.of(Trait.SERVER_CLOCK, Trait.CLOCK_FREE), LockSchema.locksOnly());

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> LockStrategies.of(List.of(both)))
                .withMessageContaining("declares one of [SERVER_CLOCK, CLOCK_FREE] at most, but ");
    }

    /** A provider that fails. */
    public static final class ThrowsInItsConstructor extends OwnStrategy {
        public ThrowsInItsConstructor() {
            throw new IllegalStateException("no configuration");
        }
    }

    /** A provider that cannot be created. */
    public static final class HasNoPublicConstructor extends OwnStrategy {
        private HasNoPublicConstructor() {}
    }

    private abstract static class OwnStrategy extends LeaseDocumentStrategy {
        OwnStrategy() {
            super("own", LeaseDocument.withFormat("own/1"));
        }

        @Override
        public Set<Trait> traits() {
            return Set.of();
        }

        @Override
        public Step<LockOutcome> acquire(AcquireContext context) {
            throw new UnsupportedOperationException();
        }
    }

    /** A provider of something else. */
    public static final class IsNoStrategy {}

    private static LockStrategy named(String name) {
        return new DescribedStrategy(name, Set.of(), LockSchema.locksOnly());
    }
}
