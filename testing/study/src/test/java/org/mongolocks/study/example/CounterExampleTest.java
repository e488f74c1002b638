package org.mongolocks.study.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.check.Checker;
import org.mongolocks.study.check.Checker.Verdict;
import org.mongolocks.study.check.Violation;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.scenario.Scenarios;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Simulation;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/** Tests that a counter-example contains the events that explain the violation, and no others. */
class CounterExampleTest {
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");

    @BeforeAll
    static void silenceLogOfSimulatedFaults() {
        LOCKS.setLevel(Level.OFF);
    }

    @Test
    void aSecondGrantIsShownWithTheReleaseOfAThirdThatMadeItPossible() {
        CounterExample example = example("holder-pause", "textbook-counter-expiry", Finding.HELD_TWICE, 1);
        Violation violation = example.violation();

        assertThat(example.events())
                .filteredOn(event -> event.op() == Op.RELEASE && event.phase() != Phase.INVOKE)
                .anyMatch(event -> event.grant() != violation.first() && event.grant() != violation.second());
        assertThat(example.events()).anyMatch(event -> event.op() == Op.PAUSE);
    }

    @Test
    void leakIsShownWithTheLastHolderAndTheFailingProbe() {
        CounterExample example = example("holder-crash", "textbook-flag-update", Finding.LEAK, 0);

        assertThat(example.events())
                .anyMatch(event -> event.is(Op.ACQUIRE, Phase.OK))
                .anyMatch(event -> event.op() == Op.CRASH)
                .anyMatch(event -> event.is(Op.PROBE, Phase.FAIL));
    }

    @Test
    void unrelatedEventsAreLeftOut() {
        History history = history("healthy", "textbook-version-update", 0);
        CounterExample example = CounterExample.of(
                history,
                verdict(history, "textbook-version-update")
                        .first(Finding.BELIEVED_TWICE)
                        .orElseThrow());

        assertThat(example.events().size()).isLessThan(history.events().size() / 2);
        assertThat(example.events()).isSortedAccordingTo((one, other) -> Long.compare(one.seq(), other.seq()));
        assertThat(example.descriptions()).hasSameSizeAs(example.events());
    }

    private static CounterExample example(String scenario, String technique, Finding finding, long seed) {
        History history = history(scenario, technique, seed);
        return CounterExample.of(
                history, verdict(history, technique).first(finding).orElseThrow());
    }

    private static Verdict verdict(History history, String technique) {
        return Checker.check(history, Matrix.claimsOf(technique(technique)));
    }

    private static History history(String scenario, String technique, long seed) {
        Scenario row = Scenarios.all().stream()
                .filter(one -> one.name().equals(scenario))
                .findFirst()
                .orElseThrow();
        return Simulation.run(row, technique(technique), seed).history();
    }

    private static Technique technique(String name) {
        return Techniques.all().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
