package org.mongolocks.study.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.scenario.Scenarios;
import org.mongolocks.study.sim.Simulation.Outcome;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

class SimulationTest {
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");

    @BeforeAll
    static void silenceLogOfSimulatedFaults() {
        LOCKS.setLevel(Level.OFF);
    }

    static Stream<Technique> techniques() {
        return Techniques.all().stream();
    }

    static Stream<Scenario> scenarios() {
        return Scenarios.all().stream();
    }

    private static Scenario scenario(String name) {
        return Scenarios.all().stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("techniques")
    void theSameSeedGivesTheSameHistoryToTheByte(Technique technique) {
        assertRepeatable(technique, "duplicates");
    }

    @ParameterizedTest
    @Tag("slow")
    @MethodSource("techniques")
    void theSameSeedGivesTheSameHistoryToTheByteWithOtherFaults(Technique technique) {
        assertRepeatable(technique, "healthy", "divided", "late-events");
    }

    private static void assertRepeatable(Technique technique, String... names) {
        for (String name : names) {
            Outcome once = Simulation.run(scenario(name), technique, 7);
            Outcome again = Simulation.run(scenario(name), technique, 7);

            assertThat(again.history().text()).as(name).isEqualTo(once.history().text());
            assertThat(again.commands()).isEqualTo(once.commands());
            assertThat(again.events()).isEqualTo(once.events());
        }
    }

    @ParameterizedTest
    @Tag("slow")
    @MethodSource("scenarios")
    void everyScenarioIsRepeatable(Scenario scenario) {
        Technique technique = Techniques.shipped().get(0);

        assertThat(Simulation.run(scenario, technique, 3).history().text())
                .isEqualTo(Simulation.run(scenario, technique, 3).history().text());
    }

    @Test
    void anotherSeedGivesAnotherHistory() {
        Technique technique = Techniques.shipped().get(0);

        assertThat(Simulation.run(scenario("healthy"), technique, 1).history().text())
                .isNotEqualTo(Simulation.run(scenario("healthy"), technique, 2)
                        .history()
                        .text());
    }

    @ParameterizedTest
    @MethodSource("techniques")
    void allClientsAcquireAndWorkWithoutFaults(Technique technique) {
        Outcome outcome = Simulation.run(scenario("healthy"), technique, 5);

        long[] grants = new long[5];
        outcome.history().events().stream()
                .filter(event -> event.is(Op.ACQUIRE, Phase.OK) && event.process() < grants.length)
                .forEach(event -> grants[event.process()]++);
        assertThat(grants[1]).isPositive();
        assertThat(grants[2]).isPositive();
        assertThat(grants[3]).isPositive();
        assertThat(grants[4]).isPositive();
        assertThat(outcome.history().events()).anyMatch(event -> event.is(Op.WRITE_UNFENCED, Phase.OK));
    }
}
