package org.mongolocks.study.process.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
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
                new ChildMessage.Hello("a1", 3, new Clocks(-5, 6)),
                new ChildMessage.Happened(event("it is \"so\"")),
                new ChildMessage.Read(1, new GrantToken(2, 3, 12)),
                new ChildMessage.Write(1, new GrantToken(2, 3, 12), new ProtectedResources.Values(4, 5, 6)),
                new ChildMessage.Reached(2, FaultPoint.CHECKED),
                new ChildMessage.Sent(7),
                new ChildMessage.Trouble("no server"),
                new ChildMessage.Usage(10, 11, 3),
                new ChildMessage.Next(1, "insert-unique"),
                new ChildMessage.Bye(new Clocks(8, 9), 2));
    }

    static Stream<ParentMessage> orders() {
        ChildConfig.Place place = new ChildConfig.Place("mongodb://localhost/?a=b", 4711, "study", "locks1");
        return Stream.of(
                new ParentMessage.Start(new ChildConfig(place, "insert-unique", ChildConfig.Driver.REACTIVE, 2, 42)),
                new ParentMessage.Answer(1, List.of()),
                new ParentMessage.Answer(2, List.of(3L, 4L, 5L)),
                new ParentMessage.Measure(),
                new ParentMessage.Stop());
    }

    private static Event event(String note) {
        return new Event(0, 10, 0, Op.ACQUIRE, Phase.OK, 2, 11, 0, 9, Long.MAX_VALUE, 0, note, 12);
    }

    @ParameterizedTest
    @MethodSource("reports")
    void reportIsParsedAsItWasWritten(ChildMessage report) {
        assertThat(ChildMessage.parse(report.line().text())).isEqualTo(report);
    }

    @ParameterizedTest
    @MethodSource("orders")
    void orderIsParsedAsItWasWritten(ParentMessage order) {
        assertThat(ParentMessage.parse(order.line().text())).isEqualTo(order);
    }

    @Test
    void lineBreaksAndTabsBecomeSpaces() {
        String text =
                new ChildMessage.Happened(event("two\tparts\nand lines")).line().text();

        assertThat(text).doesNotContain("\n");
        assertThat(ChildMessage.parse(text)).isEqualTo(new ChildMessage.Happened(event("two parts and lines")));
    }

    @Test
    void unknownMessageIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChildMessage.parse("Exception in thread \"main\""))
                .withMessage("Unknown message 'Exception in thread \"main\"'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ParentMessage.parse(""))
                .withMessage("Unknown message ''");
    }

    @Test
    void aLineWithTooFewFieldsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChildMessage.parse("READ\t1\t2"))
                .withMessage("READ must have 4 fields, had 2: 'READ\t1\t2'");
    }

    @Test
    void aFieldThatIsNoNumberIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChildMessage.parse("SENT\tmany"))
                .withMessage("Field 1 of SENT must be a whole number, was 'many'");
    }

    @Test
    void aNumberOfAGrantThatCannotBeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChildMessage.parse("READ\t1\t-2\t3\t0"))
                .withMessage("Field 2 of READ must be from 0 to 2147483647, was -2");
    }

    @Test
    void unknownMomentIsRefusedWithTheKnownOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChildMessage.parse("AT\t1\tNOON"))
                .withMessageStartingWith("Field 2 of AT must be one of [GRANTED, WORKING, ")
                .withMessageEndingWith("], was 'NOON'");
    }

    @Test
    void answerWithoutAWorkerIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ParentMessage.parse("GO"))
                .withMessage("GO must name a worker, was 'GO'");
    }
}
