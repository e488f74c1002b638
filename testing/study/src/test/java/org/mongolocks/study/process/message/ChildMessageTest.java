package org.mongolocks.study.process.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.process.message.ChildMessage.Clocks;
import org.mongolocks.study.process.message.ChildMessage.GrantToken;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.server.ProtectedResources;

/** Tests that messages are read as they were written, and that invalid ones are refused. */
class ChildMessageTest {
    static Stream<ChildMessage> reports() {
        return Stream.of(
                new ChildMessage.Hello(new Clocks(-5, 6)),
                new ChildMessage.Happened(event("it is \"so\"")),
                new ChildMessage.Reached(
                        1, FaultPoint.CHECKED, new GrantToken(2, 3, 12), new ProtectedResources.Values(4, 5, 6)),
                new ChildMessage.Trouble("no server"),
                new ChildMessage.Usage(10, 11, 3),
                new ChildMessage.Next(1, "insert-unique", 1L << 40),
                new ChildMessage.Bye(new Clocks(8, 9), 2));
    }

    static Stream<ParentMessage> orders() {
        ParentMessage.Place place = new ParentMessage.Place("mongodb://localhost/?a=b", 4711, "study", "locks1");
        return Stream.of(
                new ParentMessage.Start(place, false, "insert-unique", ParentMessage.Driver.REACTIVE, 2, true, 42),
                new ParentMessage.Answer(2, 0, new ProtectedResources.Values(3, 4, 5), 6),
                new ParentMessage.Measure(),
                new ParentMessage.Stop());
    }

    private static Event event(String note) {
        return new Event(0, 10, 0, Op.ACQUIRE, Phase.OK, 2, 11, 0, 9, Long.MAX_VALUE, 0, note, 12);
    }

    @ParameterizedTest
    @MethodSource("reports")
    void reportIsParsedAsItWasWritten(ChildMessage report) {
        assertThat(MessageLine.read(ChildMessage.class, MessageLine.of((Record) report)))
                .isEqualTo(report);
    }

    @ParameterizedTest
    @MethodSource("orders")
    void orderIsParsedAsItWasWritten(ParentMessage order) {
        assertThat(MessageLine.read(ParentMessage.class, MessageLine.of((Record) order)))
                .isEqualTo(order);
    }

    @Test
    void messageIsOneLineWhateverItContains() {
        ChildMessage report = new ChildMessage.Happened(event("two\tparts\nand lines"));

        String line = MessageLine.of((Record) report);

        assertThat(line).doesNotContain("\n");
        assertThat(MessageLine.read(ChildMessage.class, line)).isEqualTo(report);
    }

    @Test
    void unknownMessageIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MessageLine.read(ChildMessage.class, "Exception in thread \"main\""))
                .withMessage("Unknown message 'Exception in thread \"main\"'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MessageLine.read(ParentMessage.class, ""))
                .withMessage("Unknown message ''");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Trouble", "Trouble {", "Trouble {\"what\": 1}", "Reached {\"point\": \"NOON\"}"})
    void incompleteOrInvalidMessageIsRefused(String line) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MessageLine.read(ChildMessage.class, line))
                .withMessageContaining(line);
    }
}
