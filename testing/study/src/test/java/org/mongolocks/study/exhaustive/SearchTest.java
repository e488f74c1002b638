package org.mongolocks.study.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.study.technique.Techniques;

/** Small worlds are searched whole: nothing is found in those of the library, and something in all others. */
@Execution(ExecutionMode.CONCURRENT)
class SearchTest {
    private static final int MAX_STATES = 400_000;
    private static final int MAX_TWIN_STATES = 500_000;
    private static final int MAX_CONTROL_STATES = 100_000;

    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");

    @BeforeAll
    static void silenceLogOfSearchedFaults() {
        LOCKS.setLevel(Level.OFF);
    }

    static Stream<SmallWorld> shipped() {
        return Stream.concat(
                SmallWorlds.ofOneFault().stream().filter(SearchTest::isShipped),
                Techniques.shipped().stream().map(SmallWorlds::cleanedUp));
    }

    static Stream<SmallWorld> published() {
        return SmallWorlds.ofOneFault().stream().filter(world -> !isShipped(world));
    }

    private static boolean isShipped(SmallWorld world) {
        return world.technique().config().isShipped();
    }

    @ParameterizedTest
    @MethodSource("shipped")
    @Timeout(value = 15, unit = TimeUnit.MINUTES) // 200,000 states, on a busy machine.
    void nothingIsFoundInAWholeWorld(SmallWorld world) {
        assertThat(Search.of(world, MAX_STATES).isClean()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("published")
    void flawOfAPublishedTechniqueIsFound(SmallWorld world) {
        assertThat(Search.of(world, MAX_STATES).complaint()).isPresent();
    }

    @Test
    void searchThatIsCutIsNotWhole() {
        SearchResult cut = Search.of(shipped().findFirst().orElseThrow(), 10);

        assertThat(cut.isWhole()).isFalse();
        assertThat(cut.isClean()).isFalse();
    }

    static List<Twin> twins() {
        return Twin.all();
    }

    @ParameterizedTest
    @MethodSource("twins")
    @Tag("slow")
    @Timeout(value = 15, unit = TimeUnit.MINUTES) // As above.
    void mistakeIsFound(Twin twin) {
        SearchResult result = Search.of(twin, MAX_TWIN_STATES);

        assertThat(result.complaint()).as(SearchResult.ofTwins(List.of(result))).isPresent();
    }

    static Stream<SmallWorld> worldsOfTwins() {
        return Techniques.shipped().stream().flatMap(technique -> SmallWorlds.ofTwins(technique).stream());
    }

    @ParameterizedTest
    @MethodSource("worldsOfTwins")
    @Tag("slow")
    @Timeout(value = 15, unit = TimeUnit.MINUTES) // As above.
    void nothingIsFoundWithoutTheMistake(SmallWorld world) {
        assertThat(Search.of(world, MAX_CONTROL_STATES).complaint()).isEmpty();
    }
}
