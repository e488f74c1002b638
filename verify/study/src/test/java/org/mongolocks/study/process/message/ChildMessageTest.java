package org.mongolocks.study.process.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
                new ChildMessage.Hello(new Clocks(-5, 6)),
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
                new ParentMessage.Answer(1, 12),
                new ParentMessage.Answer(2, 0, new ProtectedResources.Values(3, 4, 5)),
                new ParentMessage.Measure(),
                new ParentMessage.Stop());
    }

    private static Event event(String note) {
        return new Event(0, 10, 0, Op.ACQUIRE, Phase.OK, 2, 11, 0, 9, Long.MAX_VALUE, 0, note, 12);
    }

    @ParameterizedTest
    @MethodSource("reports")
    void reportIsParsedAsItWasWritten(ChildMessage report) {
        assertThat(RecordLine.read(ChildMessage.class, RecordLine.of((Record) report)))
                .isEqualTo(report);
    }

    @ParameterizedTest
    @MethodSource("orders")
    void orderIsParsedAsItWasWritten(ParentMessage order) {
        assertThat(RecordLine.read(ParentMessage.class, RecordLine.of((Record) order)))
                .isEqualTo(order);
    }

    @Test
    void lineBreaksAndTabsBecomeSpaces() {
        String text = RecordLine.of(new ChildMessage.Happened(event("two\tparts\nand lines")));

        assertThat(text).doesNotContain("\n");
        assertThat(RecordLine.read(ChildMessage.class, text))
                .isEqualTo(new ChildMessage.Happened(event("two parts and lines")));
    }

    @Test
    void unknownMessageIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordLine.read(ChildMessage.class, "Exception in thread \"main\""))
                .withMessage("Unknown message 'Exception in thread \"main\"'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordLine.read(ParentMessage.class, ""))
                .withMessage("Unknown message ''");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Read,1,2            | Too few fields
            Sent,1,2            | Too many fields: 'Sent
            Sent,many           | For input string: "many"
            Read,1,2147483648,3 | For input string: "2147483648"
            Read,1,-2,3,0       | The number of a grant must not be negative, was -2
            Reached,1,NOON      | A FaultPoint must be one of [GRANTED, WORKING, CHECKED, GUARDED, DONE], was 'NOON'
            """)
    void invalidFieldsAreRefused(String line, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordLine.read(ChildMessage.class, line.replace(',', '\t')))
                .withMessageStartingWith(reason);
    }

    @Test
    void answerWithoutAWorkerIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordLine.read(ParentMessage.class, "Answer"))
                .withMessage("Too few fields");
    }
}
