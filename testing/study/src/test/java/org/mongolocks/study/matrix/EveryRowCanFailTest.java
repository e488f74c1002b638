package org.mongolocks.study.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.study.matrix.Mistakes.Entry;
import org.mongolocks.study.scenario.Scenarios;
import org.mongolocks.study.sim.Scenario;

/** Tests that for each row of the matrix there is a mistake that it finds, and no row before it. */
class EveryRowCanFailTest {
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");

    @BeforeAll
    static void silenceLogOfSimulatedFaults() {
        LOCKS.setLevel(Level.OFF);
    }

    static List<Entry> mistakes() {
        return Mistakes.TABLE;
    }

    @Test
    void eachRowHasAMistake() {
        assertThat(mistakes().stream().map(Entry::scenario).distinct())
                .containsExactlyElementsOf(
                        Scenarios.all().stream().map(Scenario::name).toList());
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void rowFindsTheMistakeAndNothingWithoutIt(Entry entry) {
        assertThat(entry.isFoundBy(entry.row())).isTrue();
    }

    @Test
    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void noRowBeforeFindsTheMistake() {
        assertThat(mistakes())
                .noneMatch(entry -> Scenarios.all().stream()
                        .takeWhile(row -> !row.name().equals(entry.scenario()))
                        .anyMatch(entry::isFoundBy));
    }
}
