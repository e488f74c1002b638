package org.mongolocks.study.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.study.exhaustive.SmallWorld.Action;
import org.mongolocks.study.exhaustive.SmallWorld.Fault;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/** Small worlds are searched whole. */
class SearchTest {
    private static final Set<Fault> FAULTS = EnumSet.complementOf(EnumSet.of(Fault.CLOCK_AHEAD));
    private static final int MAX_STATES = 50_000;

    static Stream<Technique> published() {
        return Techniques.textbook().stream();
    }

    @ParameterizedTest
    @MethodSource("published")
    void flawOfAPublishedTechniqueIsFound(Technique technique) {
        SmallWorld world =
                new SmallWorld("one fault", technique, null, 2, List.of(Action.ACQUIRE, Action.RELEASE), FAULTS, 1, 1);

        assertThat(Search.of(world, MAX_STATES).complaint()).isNotNull();
    }
}
