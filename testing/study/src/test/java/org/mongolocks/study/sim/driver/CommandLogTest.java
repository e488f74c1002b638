package org.mongolocks.study.sim.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.study.sim.driver.DriverScene.count;
import static org.mongolocks.study.sim.driver.DriverScene.find;
import static org.mongolocks.study.sim.driver.DriverScene.firstLost;
import static org.mongolocks.study.sim.driver.DriverScene.insert;
import static org.mongolocks.study.sim.driver.DriverScene.transaction;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.study.history.CommandRecord;
import org.mongolocks.study.history.CommandRecord.Loss;
import org.mongolocks.study.scenario.Scenarios;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Simulation;
import org.mongolocks.study.sim.Simulation.Outcome;
import org.mongolocks.study.sim.Simulation.Traced;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.net.Network.Message;
import org.mongolocks.study.sim.net.Network.MessageFate;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/** Tests that the log contains the outcome of every sending. */
class CommandLogTest {
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");

    private DriverScene scene = scene(message -> MessageFate.ARRIVES);
    private CommandLog log = new CommandLog(() -> 0);

    @BeforeAll
    static void silenceLogOfSimulatedFaults() {
        LOCKS.setLevel(Level.OFF);
    }

    private static DriverScene scene(Function<Message, MessageFate> fates) {
        return new DriverScene(Environment.HEALTHY, DriverScene.limited(), fates);
    }

    private void given(Function<Message, MessageFate> fates) {
        scene = scene(fates);
        log = new CommandLog(scene.world()::nowNanos);
        scene.world().traceTo(log);
    }

    private List<CommandRecord> commands() {
        return log.commands();
    }

    @Test
    void answeredCommandHasAllItsTimesInOrder() {
        given(message -> MessageFate.ARRIVES);

        var unused = scene.send(count());

        assertThat(commands()).hasSize(1).allMatch(CommandRecord::isPlain);
        assertThat(commands().get(0).moments().toArray()).hasSize(4).isSorted();
        assertThat(commands().get(0).name()).isEqualTo("findAndModify");
        assertThat(commands().get(0).about()).isEqualTo("c {_id: 1}");
        assertThat(commands().get(0).result()).isEqualTo("done");
    }

    @Test
    void aLostRequestWasNeverAtTheServerAndIsSentAgain() {
        given(firstLost(false));

        var unused = scene.send(count());

        assertThat(commands()).extracting(CommandRecord::sending).containsExactly(1, 2);
        assertThat(commands().get(0).way().loss()).isEqualTo(Loss.REQUEST);
        assertThat(commands().get(0).executedNanos()).isEmpty();
        assertThat(commands().get(1).way().loss()).isEqualTo(Loss.NONE);
    }

    @Test
    void commandWithALostReplyWasExecutedWithoutAReplyTime() {
        given(firstLost(true));

        var unused = scene.send(count());

        CommandRecord first = commands().get(0);
        assertThat(first.way().loss()).isEqualTo(Loss.REPLY);
        assertThat(first.executedNanos()).isPresent();
        assertThat(first.way().receivedNanos()).isEqualTo(CommandRecord.NEVER);
        assertThat(first.way().givenUpNanos()).isGreaterThan(first.sentNanos());
    }

    @Test
    void aRequestThatArrivesAfterItWasGivenUpIsLate() {
        given(message -> !message.isReply() && message.sending() == 1
                ? MessageFate.late(Duration.ofSeconds(1))
                : MessageFate.ARRIVES);

        var unused = scene.send(find());

        assertThat(commands()).extracting(CommandRecord::isLate).containsExactly(true, false);
    }

    @Test
    void errorIsRecordedWithItsCode() {
        given(message -> MessageFate.ARRIVES);

        var first = scene.send(insert(1));
        var second = scene.send(insert(1));

        assertThat(first).isNotEqualTo(second);
        assertThat(commands()).extracting(CommandRecord::result).containsExactly("n: 1", "error 11000 duplicate key");
    }

    @Test
    void statementOfATransactionIsMarked() {
        given(message -> MessageFate.ARRIVES);

        scene.send(transaction(Boundary.START));
        scene.send(insert(1));
        scene.send(transaction(Boundary.COMMIT));

        assertThat(commands())
                .extracting(command -> command.name() + " " + command.about())
                .containsExactly("insert c {_id: 1} in a transaction", "commitTransaction ");
    }

    @Test
    void unreachableServerIsRecorded() {
        given(message -> MessageFate.ARRIVES);

        scene.world().server().failOver(Duration.ofSeconds(1), Duration.ZERO);
        var unused = scene.send(find());

        assertThat(commands()).first().matches(command -> command.way().loss() == Loss.SERVER);
        assertThat(commands()).last().matches(command -> command.way().loss() == Loss.NONE);
    }

    @Test
    void aRunIsTheSameWithAndWithoutALog() {
        assertSameWithALog(Techniques.shipped().get(0));
    }

    @Tag("slow")
    @Test
    void aRunOfAnyStrategyIsTheSameWithAndWithoutALog() {
        Techniques.shipped().forEach(CommandLogTest::assertSameWithALog);
    }

    private static void assertSameWithALog(Technique technique) {
        for (String name : new String[] {"acquire-lost", "divided", "holder-pause"}) {
            Scenario scenario = Scenarios.all().stream()
                    .filter(one -> one.name().equals(name))
                    .findFirst()
                    .orElseThrow();
            Outcome without = Simulation.run(scenario, technique, 4);
            Traced with = Simulation.trace(scenario, technique, 4);

            assertThat(with.outcome().history().text())
                    .isEqualTo(without.history().text());
            assertThat(with.outcome().events()).isEqualTo(without.events());
            assertThat(with.commands()).hasSizeGreaterThanOrEqualTo((int) without.commands());
        }
    }
}
