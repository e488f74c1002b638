package org.mongolocks.study.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.study.check.Promptness.HandoverLimits;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.Simulation;
import org.mongolocks.study.sim.Simulation.Traced;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.Workload;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.config.Workload.LockUsage.Use;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/** Tests that the cost of a grant grows neither with the number of waiters in one client nor with that of clients. */
@Tag("slow")
class CostPerGrantTest {
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");
    private static final Set<String> COMMANDS_ON_LOCKS = Set.of("findAndModify", "update", "find", "delete");

    @BeforeAll
    static void silenceLogOfSimulatedFaults() {
        LOCKS.setLevel(Level.OFF);
    }

    static Stream<Technique> shipped() {
        return Techniques.shipped().stream();
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void costOfAGrantDoesNotGrowWithTheNumberOfWaiters(Technique technique) {
        assertThat(costWith(48, technique)).isLessThan(1.25 * costWith(6, technique));
    }

    static Stream<Arguments> withClients() {
        return shipped().flatMap(technique -> Stream.of(2, 8, 32).map(clients -> Arguments.of(technique, clients)));
    }

    /** The reads of the change streams apart, of which each client has its own, and transactions, which are of constant size. */
    @ParameterizedTest
    @MethodSource("withClients")
    void grantCostsAtMostFourCommandsHoweverManyClientsWait(Technique technique, int clients) {
        Workload contended = new Workload(
                clients, 1, DurationRange.millis(1, 100), DurationRange.millis(5, 20), Duration.ofSeconds(20));

        assertThat(commandsPerGrant(scenario(contended), technique)).isLessThan(4);
    }

    static Stream<Arguments> ordered() {
        return shipped().flatMap(technique -> Stream.of(2, 8, 32).map(clients -> Arguments.of(technique, clients)));
    }

    @ParameterizedTest
    @MethodSource("ordered")
    void grantInOrderCostsLessThanSixCommandsHoweverManyClientsWait(Technique technique, int clients) {
        Workload contended = new Workload(
                clients, 1, DurationRange.millis(1, 100), DurationRange.millis(5, 20), Duration.ofSeconds(20));

        assertThat(commandsPerGrant(scenario(contended, LockUsage.of(Use.IN_ORDER)), technique))
                .isLessThan(6);
    }

    private static double commandsPerGrant(Scenario scenario, Technique technique) {
        Traced run = Simulation.trace(scenario, technique, 1);
        long commands = run.commands().stream()
                .filter(command -> COMMANDS_ON_LOCKS.contains(command.name()))
                .filter(command -> Stream.of("locks {", "locks.queue {").anyMatch(command.about()::startsWith))
                // Guarded writes are transactions, which touch the lock, and so are grants of one strategy.
                .filter(command -> !command.about().endsWith(" in a transaction"))
                .count();
        long grants = run.outcome().history().events().stream()
                .filter(event -> event.is(Op.ACQUIRE, Phase.OK))
                .count();
        assertThat(grants).isGreaterThan(100);
        return commands / (double) grants;
    }

    private static Scenario scenario(Workload workload) {
        return scenario(workload, LockUsage.ALONE);
    }

    private static Scenario scenario(Workload workload, LockUsage usage) {
        return new Scenario(
                "contended",
                "",
                workload,
                Environment.HEALTHY,
                client -> ClockFault.NONE,
                random -> new Nemesis() {},
                usage,
                HandoverLimits.NONE);
    }

    private static double costWith(int workers, Technique technique) {
        Workload contended = new Workload(
                4, workers, DurationRange.millis(1, 100), DurationRange.millis(5, 20), Duration.ofSeconds(5));
        return Matrix.run(List.of(scenario(contended)), List.of(technique), 2)
                .cells()
                .get(0)
                .commandsPerGrant();
    }
}
