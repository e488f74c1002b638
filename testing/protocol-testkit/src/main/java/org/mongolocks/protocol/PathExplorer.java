package org.mongolocks.protocol;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * An explorer of all paths through a program: it answers each operation with each possible reply, in every combination.
 */
final class PathExplorer {
    /** A program with more operations than this is assumed not to end. */
    static final int MAX_OPERATIONS = 16;
    /** A program with more paths than this retries after too many faults, which is the task of the engine. */
    static final int MAX_TRACES = 200_000;

    private final String name;
    private final PossibleReplies replies;
    private final List<ProgramTrace> traces = new ArrayList<>();

    private PathExplorer(String name, PossibleReplies replies) {
        this.name = name;
        this.replies = replies;
    }

    static List<ProgramTrace> explore(String name, Step<?> program, PossibleReplies replies) {
        PathExplorer explorer = new PathExplorer(name, replies);
        explorer.walk(program, List.of());
        return List.copyOf(explorer.traces);
    }

    private void walk(Step<?> step, List<RequestReply> sofar) {
        if (step instanceof Step.Pause<?> pause) {
            walk(pause.then().get(), sofar);
        } else if (step instanceof Step.Call<?> call) {
            if (sofar.size() >= MAX_OPERATIONS || traces.size() >= MAX_TRACES) {
                throw new AssertionError(Law.words(
                                "A program ends after a few operations",
                                name,
                                "it still sends " + call.op().label() + " after " + sofar.size() + " operations",
                                "fail with the reply: the engine repeats, and waits")
                        + sofar.stream()
                                .map(exchange -> "\n" + exchange.inBrief())
                                .collect(joining()));
            }
            replies.to(call.op()).forEach(reply -> answer(call, reply, sofar));
        } else {
            traces.add(new ProgramTrace(sofar, step));
        }
    }

    private void answer(Step.Call<?> call, Reply reply, List<RequestReply> sofar) {
        List<RequestReply> exchanges = new ArrayList<>(sofar);
        exchanges.add(new RequestReply(call.op(), reply));
        walk(next(call, reply, exchanges), exchanges);
    }

    private Step<?> next(Step.Call<?> call, Reply reply, List<RequestReply> exchanges) {
        try {
            return call.then().apply(reply);
        } catch (RuntimeException e) {
            RequestReply last = exchanges.get(exchanges.size() - 1);
            throw Law.thrown(name, " after " + last.inBrief(), e);
        }
    }
}
