package org.mongolocks.protocol;

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

    private final PossibleReplies replies;
    private final List<ProgramTrace> traces = new ArrayList<>();

    private PathExplorer(PossibleReplies replies) {
        this.replies = replies;
    }

    static List<ProgramTrace> explore(Step<?> program, PossibleReplies replies) {
        PathExplorer explorer = new PathExplorer(replies);
        explorer.walk(program, List.of());
        return List.copyOf(explorer.traces);
    }

    private void walk(Step<?> step, List<RequestReply> sofar) {
        if (step instanceof Step.Pause<?> pause) {
            walk(pause.then().get(), sofar);
        } else if (step instanceof Step.Call<?> call) {
            check(sofar.size() < MAX_OPERATIONS && traces.size() < MAX_TRACES, "The program does not end", sofar);
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

    private static Step<?> next(Step.Call<?> call, Reply reply, List<RequestReply> exchanges) {
        try {
            return call.then().apply(reply);
        } catch (IllegalStateException e) {
            throw new AssertionError("The program does not handle the last reply:\n" + ProgramTrace.show(exchanges), e);
        }
    }

    private static void check(boolean holds, String complaint, List<RequestReply> sofar) {
        if (!holds) {
            throw new AssertionError(complaint + ":\n" + ProgramTrace.show(sofar));
        }
    }
}
