package org.mongolocks.study.simulation;

import java.util.ArrayList;
import java.util.List;
import org.mongolocks.embedded.EngineSnapshot;

/** Knows what a majority of the replica set has: all that one member had stored a little while ago. */
final class Replication {
    private final VirtualTime time;
    private final Node node;
    private final long lagNanos;
    private EngineSnapshot majority;
    private List<Pending> waiting = new ArrayList<>();
    private boolean halted;

    /** What a majority does not have yet, and who waits for it. */
    private record Pending(EngineSnapshot written, Runnable done, Runnable lost) {}

    Replication(VirtualTime time, Node node, long lagNanos) {
        this.time = time;
        this.node = node;
        this.lagNanos = lagNanos;
        this.majority = node.snapshot();
        advance();
    }

    private void advance() {
        if (lagNanos > 0) {
            node.advanceMajority(majority);
        }
    }

    /** Has a task run when a majority has all that is stored now, or another when it never will. */
    void whenMajority(Runnable done, Runnable lost) {
        if (lagNanos == 0) {
            done.run();
            return;
        }
        Pending pending = new Pending(node.snapshot(), done, lost);
        waiting.add(pending);
        time.after(lagNanos, () -> arrived(pending));
    }

    /** Nothing more reaches the others. */
    void halt() {
        halted = true;
    }

    /** Gives what a majority has. */
    EngineSnapshot majority() {
        return lagNanos == 0 ? node.snapshot() : majority;
    }

    /** What a majority does not have is lost. */
    void lose() {
        halted = true;
        List<Pending> lost = waiting;
        waiting = new ArrayList<>();
        lost.forEach(pending -> pending.lost().run());
    }

    private void arrived(Pending pending) {
        if (!halted && waiting.remove(pending)) {
            majority = pending.written();
            advance();
            pending.done().run();
        }
    }
}
