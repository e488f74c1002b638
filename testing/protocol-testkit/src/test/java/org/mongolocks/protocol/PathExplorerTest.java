package org.mongolocks.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

class PathExplorerTest {
    private static final LockDocumentFixtures STORED = new LockDocumentFixtures("stub/1", "rev");

    @Test
    void everyOperationGetsEveryServerFault() {
        Map<String, Set<Fault>> met =
                exchanges(AcquireStub.correct().renew(ProtocolFixture.lease(LockDocumentFixtures.TOKEN))).stream()
                        .filter(RequestReply::failed)
                        .collect(Collectors.groupingBy(
                                exchange -> exchange.op().label(),
                                Collectors.mapping(PathExplorerTest::fault, Collectors.toSet())));

        Set<Fault> all = Set.copyOf(EnumSet.complementOf(EnumSet.of(Fault.FOREIGN_FORMAT)));
        assertThat(met).isEqualTo(Map.of("stub/renew", all, "stub/loss-reason", all));
    }

    @Test
    void readGetsEveryStoredDocument() {
        assertThat(exchanges(AcquireStub.correct().inspect(ProtocolFixture.NAME)))
                .extracting(RequestReply::reply)
                .contains(
                        Replies.foundWithTime(STORED.heldBy(ProtocolFixture.ME)),
                        Replies.foundWithTime(STORED.heldBy(ProtocolFixture.OTHER)),
                        Replies.foundWithTime(STORED.expiredOf(ProtocolFixture.OTHER)),
                        Replies.foundWithTime(STORED.released()),
                        Replies.foundWithTime(STORED.forceReleased()),
                        Replies.foundWithTime(STORED.foreign()),
                        Replies.foundWithTime(STORED.unmarked()),
                        Replies.none());
    }

    @Test
    void pauseIsSkipped() {
        Step<Object> program = new Step.Pause<>(ProtocolFixture.TTL, () -> Step.done("over"));

        assertThat(PathExplorer.explore("acquire", program, replies()))
                .containsExactly(new ProgramTrace(List.of(), Step.done("over")));
    }

    private static List<RequestReply> exchanges(Step<?> program) {
        return PathExplorer.explore("acquire", program, replies()).stream()
                .flatMap(trace -> trace.exchanges().stream())
                .toList();
    }

    private static PossibleReplies replies() {
        return new PossibleReplies(STORED, UnaryOperator.identity());
    }

    private static Fault fault(RequestReply exchange) {
        return ((Reply.Failed) exchange.reply()).fault();
    }
}
