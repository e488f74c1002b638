package org.mongolocks.study.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.study.check.Violation.Finding.HELD_TWICE;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mongolocks.study.check.Checker.Verdict;
import org.mongolocks.study.example.CounterExample;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;
import org.mongolocks.study.scenario.Scenarios;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Simulation;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/** Tests of the checker's measurements, and of its text. */
class MeasuresTest {
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");

    private final Script script = new Script();

    @BeforeAll
    static void silenceLogOfSimulatedFaults() {
        LOCKS.setLevel(Level.OFF);
    }

    @Test
    void recoveryIsMeasuredFromTheCrashOfAHolder() {
        script.at(0).asks(1).asks(2).at(10).gets(1, 5, 1).at(100).recordFault(Op.CRASH, Phase.OK, 1);
        script.at(1_300).gets(2, 6, 2);

        assertThat(Checker.check(script.history(), Script.LEASED).recoveriesNanos())
                .containsExactly(1_200L);
    }

    @Test
    void theTimeBetweenAReleaseAndTheNextGrantIsMeasured() {
        script.oneAfterTheOther();

        assertThat(Checker.check(script.history(), Script.LEASED).longestHandoffNanos())
                .isEqualTo(10);
    }

    @Test
    void aReleaseThatIsAnsweredAfterTheNextGrantFreesNothing() {
        script.at(0).asks(1).asks(2).asks(3).at(10).gets(1, 5, 1);
        script.at(20).releases(1).at(40).gets(2, 6, 3).at(50).released(1, 2);
        script.at(400).releases(2).at(410).released(2, 4).at(430).gets(3, 7, 5);

        assertThat(Checker.check(script.history(), Script.LEASED).longestHandoffNanos())
                .isEqualTo(20);
    }

    @Test
    void renewalsAreComparedWithTheThirdsOfALease() {
        script.at(0).asks(1).at(10).gets(1, 5, 1);
        for (int time = 100; time <= 500; time += 100) {
            script.at(time).happens(Op.RENEW, Phase.INVOKE, 1);
        }
        script.at(610).releases(1);

        assertThat(Checker.check(script.history(), Script.LEASED).mostRenewalsTooMany())
                .isEqualTo(3);
    }

    @Test
    void aHoldIsRenewedThreeTimesALeaseAndHardlyMore() {
        for (Technique technique : Techniques.shipped()) {
            History history = Simulation.run(longWork(), technique, 1).history();
            Map<Integer, Integer> renewals = new HashMap<>();
            history.events().stream()
                    .filter(event -> event.is(Op.RENEW, Phase.INVOKE))
                    .forEach(event -> renewals.merge(event.grant(), 1, Integer::sum));

            List<Grant> grants = Grant.Parser.of(history, Script.LEASED);

            assertThat(renewals).isNotEmpty();
            assertThat(grants)
                    .as(technique.name())
                    .allMatch(grant -> renewals.getOrDefault(grant.id(), 0) <= most(grant, history));
        }
    }

    @Test
    @Timeout(30)
    void aHistoryOfManyGrantsIsJudgedInNoTime() {
        int many = 200_000;
        for (int grant = 1; grant <= many; grant++) {
            long time = grant * 10L;
            script.at(time).asks(grant).at(time + 1).gets(grant, grant, 2L * grant);
            script.at(time + 2).releases(grant).at(time + 3).released(grant, 2L * grant + 1);
        }

        Verdict verdict = Checker.check(script.history(), Script.LEASED);

        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.grants()).isEqualTo(many);
    }

    private static double most(Grant grant, History history) {
        long held = grant.release().invokedNanos() - grant.okNanos();
        return Math.ceil(held / (history.ttlNanos() / 3.0)) + 1;
    }

    private static Scenario longWork() {
        return Scenarios.all().stream()
                .filter(scenario -> scenario.name().equals("long-work"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aCounterExampleHasTheTwoGrantsAndTheirFaultsOnly() {
        script.at(0).asks(1).asks(2).asks(9).at(10).gets(1, 5, 1).recordFault(Op.CRASH, Phase.OK, 9);
        script.at(15).recordFault(Op.PAUSE, Phase.INVOKE, 1).at(20).gets(2, 6, 2);
        Violation violation =
                Checker.check(script.history(), Script.LEASED).first(HELD_TWICE).orElseThrow();

        CounterExample shown = CounterExample.of(script.history(), violation);

        assertThat(shown.events())
                .extracting(event -> event.process() + " " + event.op() + " " + event.phase())
                .containsExactly(
                        "1 ACQUIRE INVOKE", "2 ACQUIRE INVOKE", "1 ACQUIRE OK", "1 PAUSE INVOKE", "2 ACQUIRE OK");
        assertThat(shown.text()).startsWith("HELD_TWICE\n").endsWith("#2 token 6 until 0.000 s <==");
    }
}
