package org.mongolocks.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

class ExplorerTest {
    private static final StoredLocks STORED = new StoredLocks("sketch/1", "rev");

    @Test
    void everyOperationMeetsEveryFaultOfAServer() {
        Map<String, Set<Fault>> met = exchanges(Sketch.sound().renew(Scene.lease(StoredLocks.TOKEN))).stream()
                .filter(Exchange::failed)
                .collect(Collectors.groupingBy(
                        exchange -> exchange.op().label(),
                        Collectors.mapping(ExplorerTest::fault, Collectors.toSet())));

        Set<Fault> all = Set.copyOf(EnumSet.complementOf(EnumSet.of(Fault.FOREIGN_FORMAT)));
        assertThat(met).isEqualTo(Map.of("sketch/renew", all, "sketch/why-lost", all));
    }

    @Test
    void aLookFindsWhateverMayBeStored() {
        assertThat(exchanges(Sketch.sound().inspect(Scene.NAME)))
                .extracting(Exchange::reply)
                .contains(
                        Replies.seen(STORED.heldBy(Scene.ME)),
                        Replies.seen(STORED.heldBy(Scene.OTHER)),
                        Replies.seen(STORED.expiredOf(Scene.OTHER)),
                        Replies.seen(STORED.released()),
                        Replies.seen(STORED.forcedFree()),
                        Replies.seen(STORED.foreign()),
                        Replies.seen(STORED.unmarked()),
                        Replies.none());
    }

    @Test
    void aPauseIsPassed() {
        Step<Object> program = new Step.Pause<>(Scene.TTL, () -> Step.done("over"));

        assertThat(Explorer.explore(program, replies())).containsExactly(new Trace(List.of(), Step.done("over")));
    }

    private static List<Exchange> exchanges(Step<?> program) {
        return Explorer.explore(program, replies()).stream()
                .flatMap(trace -> trace.exchanges().stream())
                .toList();
    }

    private static PossibleReplies replies() {
        return new PossibleReplies(STORED, UnaryOperator.identity());
    }

    private static Fault fault(Exchange exchange) {
        return ((Reply.Failed) exchange.reply()).fault();
    }
}
