package org.mongolocks.study.process;

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
import org.mongolocks.study.process.Report.Clocks;
import org.mongolocks.study.process.Report.Grasp;
import org.mongolocks.study.simulation.Moment;
import org.mongolocks.study.simulation.Resources;

/** Tests that messages are read as they were written, and that invalid ones are refused. */
class ReportTest {
    static Stream<Report> reports() {
        return Stream.of(
                new Report.Hello("a1", 3, new Clocks(-5, 6)),
                new Report.Happened(event("it is \"so\"")),
                new Report.Read(1, new Grasp(2, 3)),
                new Report.Write(1, new Grasp(2, 3), new Resources.Values(4, 5, 6)),
                new Report.Reached(2, Moment.CHECKED),
                new Report.Sent(7),
                new Report.Trouble("no server"),
                new Report.Bye(new Clocks(8, 9)));
    }

    static Stream<Order> orders() {
        Assignment.Place place = new Assignment.Place("mongodb://localhost/?a=b", 4711, "study", "locks1");
        return Stream.of(
                new Order.Start(new Assignment(place, "insert-unique", 2, 42)),
                new Order.Answer(1, List.of()),
                new Order.Answer(2, List.of(3L, 4L, 5L)),
                new Order.Stop());
    }

    private static Event event(String note) {
        return new Event(0, 10, 0, Op.ACQUIRE, Phase.OK, 2, 11, 0, 9, Long.MAX_VALUE, 0, note);
    }

    @ParameterizedTest
    @MethodSource("reports")
    void aReportIsReadAsItWasSaid(Report report) {
        assertThat(Report.parse(report.line().text())).isEqualTo(report);
    }

    @ParameterizedTest
    @MethodSource("orders")
    void anOrderIsReadAsItWasGiven(Order order) {
        assertThat(Order.parse(order.line().text())).isEqualTo(order);
    }

    @Test
    void whatWouldBreakALineIsASpaceInIt() {
        String text = new Report.Happened(event("two\tparts\nand lines")).line().text();

        assertThat(text).doesNotContain("\n");
        assertThat(Report.parse(text)).isEqualTo(new Report.Happened(event("two parts and lines")));
    }

    @Test
    void aWordThatIsNoneIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Report.parse("Exception in thread \"main\""))
                .withMessage("Unknown message 'Exception in thread \"main\"'");
        assertThatIllegalArgumentException().isThrownBy(() -> Order.parse("")).withMessage("Unknown message ''");
    }

    @Test
    void aLineWithTooFewFieldsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Report.parse("READ\t1\t2"))
                .withMessage("READ must have 3 fields, had 2: 'READ\t1\t2'");
    }

    @Test
    void aFieldThatIsNoNumberIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Report.parse("SENT\tmany"))
                .withMessage("Field 1 of SENT must be a whole number, was 'many'");
    }

    @Test
    void aNumberOfAGrantThatCannotBeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Report.parse("READ\t1\t-2\t3"))
                .withMessage("Field 2 of READ must be from 0 to 2147483647, was -2");
    }

    @Test
    void aMomentThatIsNoneIsRefusedWithThoseThatThereAre() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Report.parse("AT\t1\tNOON"))
                .withMessageStartingWith("Field 2 of AT must be one of [GRANTED, WORKING, ")
                .withMessageEndingWith("], was 'NOON'");
    }

    @Test
    void anAnswerToNobodyIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Order.parse("GO"))
                .withMessage("GO must name a worker, was 'GO'");
    }
}
