package org.mongolocks.protocol;

import java.util.ArrayList;
import java.util.List;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * An explorer of all paths through a program: it answers each operation with each possible reply, in every combination.
 */
final class Explorer {
    /** A program with more operations than this is assumed not to end. */
    static final int MOST_OPERATIONS = 16;
    /** A program with more paths than this retries after too many faults, which is the task of the engine. */
    static final int MOST_TRACES = 200_000;

    private final PossibleReplies replies;
    private final List<Trace> traces = new ArrayList<>();

    private Explorer(PossibleReplies replies) {
        this.replies = replies;
    }

    static List<Trace> explore(Step<?> program, PossibleReplies replies) {
        Explorer explorer = new Explorer(replies);
        explorer.walk(program, List.of());
        return List.copyOf(explorer.traces);
    }

    private void walk(Step<?> step, List<Exchange> sofar) {
        if (step instanceof Step.Pause<?> pause) {
            walk(pause.then().get(), sofar);
        } else if (step instanceof Step.Call<?> call) {
            check(sofar.size() < MOST_OPERATIONS && traces.size() < MOST_TRACES, "The program does not end", sofar);
            replies.to(call.op()).forEach(reply -> answer(call, reply, sofar));
        } else {
            traces.add(new Trace(sofar, step));
        }
    }

    private void answer(Step.Call<?> call, Reply reply, List<Exchange> sofar) {
        List<Exchange> exchanges = new ArrayList<>(sofar);
        exchanges.add(new Exchange(call.op(), reply));
        walk(next(call, reply, exchanges), exchanges);
    }

    private static Step<?> next(Step.Call<?> call, Reply reply, List<Exchange> exchanges) {
        try {
            return call.then().apply(reply);
        } catch (IllegalStateException e) {
            throw new AssertionError("The program does not handle the last reply:\n" + Trace.show(exchanges), e);
        }
    }

    private static void check(boolean holds, String complaint, List<Exchange> sofar) {
        if (!holds) {
            throw new AssertionError(complaint + ":\n" + Trace.show(sofar));
        }
    }
}
