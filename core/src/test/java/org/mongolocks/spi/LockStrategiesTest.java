package org.mongolocks.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockException;
import org.mongolocks.internal.DescribedStrategy;

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
                .withMessageMatching(".*Found: one \\(file:.*\\), two \\(file:.*\\)");
    }

    @Test
    void emptyClassPathIsNamedInTheError() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockStrategies.named("any"))
                .withMessageContaining("Found: none; add the artifact of a strategy");
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

    private static LockStrategy named(String name) {
        return new DescribedStrategy(name, Set.of(), LockSchema.locksOnly());
    }
}
