package org.mongolocks.study.sim.server;

import java.util.ArrayList;
import java.util.List;
import org.mongolocks.embedded.EngineSnapshot;
import org.mongolocks.study.sim.time.VirtualTime;

/** The data that a majority of the replica set has: all that one member had stored a little while ago. */
final class Replication {
    private final VirtualTime time;
    private final ReplicaSetMember node;
    private final long lagNanos;
    private EngineSnapshot majority;
    private List<Pending> waiting = new ArrayList<>();
    private boolean halted;

    /** Data that is not replicated to a majority, and the tasks that wait for it. */
    private record Pending(EngineSnapshot written, Runnable done, Runnable lost) {}

    Replication(VirtualTime time, ReplicaSetMember node, long lagNanos) {
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

    /** Runs a task when a majority has all that is stored now, or another when it never will. */
    void whenMajority(Runnable done, Runnable lost) {
        if (lagNanos == 0) {
            done.run();
            return;
        }
        Pending pending = new Pending(node.snapshot(), done, lost);
        waiting.add(pending);
        time.after(lagNanos, () -> arrived(pending));
    }

    /** Stops replication. */
    void halt() {
        halted = true;
    }

    /** Returns the data that a majority has. */
    EngineSnapshot majority() {
        return lagNanos == 0 ? node.snapshot() : majority;
    }

    /** Discards the data that is not replicated to a majority. */
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
