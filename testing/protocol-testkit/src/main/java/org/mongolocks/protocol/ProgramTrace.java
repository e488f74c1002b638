package org.mongolocks.protocol;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/** One path through a program: its operations, their replies, and its end. */
record ProgramTrace(List<RequestReply> exchanges, Step<?> end) {

    ProgramTrace {
        exchanges = List.copyOf(exchanges);
    }

    /** Runs a program with the same replies, as long as it sends operations. */
    ProgramTrace replayed(Step<?> program) {
        Step<?> step = afterPauses(program);
        List<RequestReply> again = new ArrayList<>();
        while (step instanceof Step.Call<?> call && again.size() < exchanges.size()) {
            Reply reply = exchanges.get(again.size()).reply();
            again.add(new RequestReply(call.op(), reply));
            step = afterPauses(call.then().apply(reply));
        }
        return new ProgramTrace(again, step);
    }

    <T> Optional<T> result(Class<T> type) {
        return result().filter(type::isInstance).map(type::cast);
    }

    Optional<Reply.Failed> failure() {
        return end instanceof Step.Fail<?> fail ? Optional.of(fail.failure()) : Optional.empty();
    }

    /** Returns the exchanges after the one with that index. */
    List<RequestReply> after(int index) {
        return exchanges.subList(index + 1, exchanges.size());
    }

    /** Returns what the strategy did, in one line: its last operation and reply, and its end. */
    String deed() {
        String last = exchanges.isEmpty()
                ? "without any operation"
                : "after " + exchanges.get(exchanges.size() - 1).inBrief();
        String end = failure()
                .map(failure -> "failed with " + failure.fault())
                .orElseGet(() ->
                        "ended with " + Law.shortened(result().orElseThrow().toString()));
        return last + " it " + end;
    }

    @Override
    public String toString() {
        return exchanges.stream().map(exchange -> exchange + "\n").collect(joining())
                + failure()
                        .map(failure -> "fails with " + failure.fault())
                        .orElseGet(() -> "ends with " + result().orElseThrow());
    }

    private Optional<Object> result() {
        return end instanceof Step.Done<?> done ? Optional.of(done.result()) : Optional.empty();
    }

    private static Step<?> afterPauses(Step<?> step) {
        Step<?> next = step;
        while (next instanceof Step.Pause<?> pause) {
            next = pause.then().get();
        }
        return next;
    }
}
