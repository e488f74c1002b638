package org.mongolocks.study.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.check.Script;
import org.mongolocks.study.check.Violation;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.CommandRecord;
import org.mongolocks.study.history.CommandRecord.Loss;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;
import org.mongolocks.study.history.Recorder;

/** Tests that a counter-example contains the commands that explain it, and no others. */
class CommandSelectionTest {
    private static final Violation TWICE = new Violation(Finding.HELD_TWICE, 1, 2, 500);
    private static final Violation LEAK = new Violation(Finding.LEAK, 0, 0, 5_000);

    private static Script oneHolds() {
        return new Script().at(100).asks(1).at(120).gets(1, 1, 1);
    }

    private static CounterExample twice() {
        History history = oneHolds().at(480).asks(2).at(500).gets(2, 2, 2).history();
        return CounterExample.of(history, TWICE);
    }

    private static CommandRecord command(int grant, long sent) {
        return command(
                grant, sent, new CommandRecord.Way(sent, sent + 1, sent + 1, sent + 2, CommandRecord.NEVER, Loss.NONE));
    }

    private static CommandRecord command(int grant, long sent, CommandRecord.Way way) {
        return new CommandRecord(grant, grant, "update", "at " + sent, 1, way, "n: 1");
    }

    private static CommandRecord lost(int grant, long sent) {
        return command(
                grant,
                sent,
                new CommandRecord.Way(
                        sent, CommandRecord.NEVER, CommandRecord.NEVER, CommandRecord.NEVER, sent + 2, Loss.REQUEST));
    }

    private static CommandRecord late(int grant, long sent) {
        return command(
                grant,
                sent,
                new CommandRecord.Way(sent, sent + 900, sent + 900, CommandRecord.NEVER, sent + 2, Loss.NONE));
    }

    @Test
    void commandsOfItsGrantsAreSelectedWhileItLasts() {
        List<CommandRecord> all =
                List.of(command(1, 50), command(1, 110), command(3, 200), command(2, 490), command(2, 900));

        assertThat(twice().with(all).commands())
                .extracting(CommandRecord::sentNanos)
                .containsExactly(110L, 490L);
    }

    @Test
    void longAttemptIsShownAtItsStartAndEndAndAtLostCommands() {
        List<CommandRecord> all = IntStream.range(0, 100)
                .mapToObj(i -> i == 50 ? lost(2, 100 + i) : command(2, 100 + i))
                .toList();

        assertThat(twice().with(all).commands())
                .extracting(CommandRecord::sentNanos)
                .containsExactly(100L, 101L, 102L, 150L, 193L, 194L, 195L, 196L, 197L, 198L, 199L);
    }

    @Test
    void commandsOfOtherProcessesAreLeftOut() {
        assertThat(twice().with(List.of(command(0, 120))).commands()).isEmpty();
    }

    @Test
    void leakIsShownWithTheFailingAttemptAndTheLastLateChanges() {
        History history =
                oneHolds().at(200).recordFault(Op.PROBE, Phase.FAIL, 9).history();
        List<CommandRecord> all = Stream.concat(
                        IntStream.range(10, 14).mapToObj(i -> late(20 + i, 100 + i)),
                        Stream.of(new CommandRecord(
                                9, 30, "find", "", 1, command(9, 4_000).way(), "found 1")))
                .toList();

        assertThat(CounterExample.of(history, LEAK).with(all).commands())
                .extracting(CommandRecord::sentNanos)
                .containsExactly(112L, 113L, 4_000L);
    }

    @Test
    void leakBelongsToTheFirstUnreportedGrantAfterTheLastRelease() {
        History history = oneHolds()
                .at(200)
                .releases(1)
                .at(220)
                .released(1, 2)
                .at(300)
                .asks(2)
                .at(310)
                .isRefused(2, "REJECTED")
                .at(320)
                .asks(3)
                .at(330)
                .isRefused(3, "UNKNOWN_COMMIT")
                .at(340)
                .asks(4)
                .at(350)
                .isRefused(4, "AMBIGUOUS")
                .history();

        assertThat(CounterExample.leaked(history, 5_000)).containsExactly(3);
    }

    @Test
    void aLeakIsThatOfTheLastHolderIfItNeverReleased() {
        History history =
                oneHolds().at(320).asks(3).at(330).isRefused(3, "AMBIGUOUS").history();

        assertThat(CounterExample.leaked(history, 5_000)).containsExactly(1);
    }

    @Test
    void eventsAndCommandsAreOrderedByTimeWithNumbersAndLetters() {
        List<EventDescription> descriptions =
                twice().with(List.of(command(1, 110), lost(2, 490))).descriptions();

        assertThat(descriptions).extracting(EventDescription::label).containsExactly("1", "a", "2", "3", "b", "4");
        assertThat(descriptions.get(4).text()).endsWith("-> update at 490: lost before it reached the server");
        assertThat(descriptions.get(5).text()).endsWith("<==");
    }

    @Test
    void lettersGoOnAfterTheLast() {
        assertThat(Stream.of(0, 25, 26, 27, 52).map(EventDescription::letters))
                .containsExactly("a", "z", "aa", "ab", "ba");
    }

    @Test
    void everyFateOfACommandIsDescribed() {
        assertThat(CommandDescription.of(command(1, 1_000_000_000)))
                .isEqualTo("update at 1000000000: executed at 1.000 s, answered at 1.000 s (n: 1)");
        assertThat(CommandDescription.of(late(1, 5)))
                .contains("arrived late, when the client had given it up")
                .endsWith("(n: 1), and the reply was not received");
        assertThat(CommandDescription.of(command(1, 5, new CommandRecord.Way(5, 6, 6, -1, 9, Loss.REPLY))))
                .endsWith("and the reply was lost");
        assertThat(CommandDescription.of(command(1, 5, new CommandRecord.Way(5, 6, -1, -1, 9, Loss.SERVER))))
                .endsWith("a server that was gone, or went away before it replied");
        assertThat(CommandDescription.of(command(1, 5, new CommandRecord.Way(5, 6, 9, 10, 8, Loss.NONE))))
                .endsWith(", too late");
        assertThat(CommandDescription.shortly(late(1, 5))).isEqualTo("update: late, n: 1");
    }

    @Test
    void eventsWithoutCommandsAreDescribed() {
        Recorder recorder = new Recorder(() -> 7);
        recorder.line(0, Op.FAULT, Phase.OK).note("set by PT-1M-30.5S").add();

        assertThat(EventDescription.all(recorder.history(1).events(), List.of()))
                .extracting(EventDescription::line)
                .containsExactly("     0.000 s  server    FAULT              OK     set by -90.5 s");
    }
}
