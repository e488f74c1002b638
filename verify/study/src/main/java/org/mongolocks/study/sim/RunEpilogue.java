package org.mongolocks.study.sim;

import static org.mongolocks.study.history.Event.Op.PROBE;
import static org.mongolocks.study.history.Event.Op.TALLY;
import static org.mongolocks.study.history.Event.Phase.FAIL;
import static org.mongolocks.study.history.Event.Phase.INVOKE;
import static org.mongolocks.study.history.Event.Phase.OK;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.study.history.History;
import org.mongolocks.study.history.Recorder;
import org.mongolocks.study.sim.client.SimulatedClient;
import org.mongolocks.study.sim.net.BsonConversion;
import org.mongolocks.study.sim.net.Request;
import org.mongolocks.study.sim.server.GuardedCounter;
import org.mongolocks.study.sim.time.ClockFault;
import org.mongolocks.study.sim.time.VirtualTime;
import org.mongolocks.study.sim.workload.Locks;
import org.mongolocks.study.sim.workload.SimulatedWorker;
import org.mongolocks.study.sim.workload.Workload;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/** The end of a run: all faults end and all clients stop; after a lease a new client acquires the lock. */
record RunEpilogue(SimulationRun world, VirtualTime time, Recorder recorder) {
    /**
     * The time after the last critical section: by then commands in flight have their replies, pauses have ended, and
     * leases have expired.
     */
    private static final Duration QUIET = Techniques.TTL.plusSeconds(10);
    /**
     * If the lock cannot be acquired in this time it counts as a leak. Long enough for a client that waits for a whole
     * lease by its own clock.
     */
    private static final Duration PROBING = Techniques.TTL.plusSeconds(5);

    Outcome run(Scenario scenario, Technique technique) {
        Workload workload = scenario.workload();
        long end = workload.length().toNanos()
                + SimulatedWorker.MAX_WRITES * workload.work().mostNanos()
                + QUIET.toNanos();
        time.runUntil(end);
        long commands = world.commands();
        probe();
        time.runUntil(end + PROBING.plusSeconds(1).toNanos());
        if (technique.habits().isShipped()) {
            tally();
        }
        History history = recorder.history(Techniques.TTL.toNanos());
        long handover = scenario.manner().handover().map(Duration::toNanos).orElse(Long.MAX_VALUE);
        return new Outcome(history.withHandover(handover), commands, time.passed());
    }

    private void probed(SimulatedClient late, boolean isFree) {
        recorder.line(late.id(), PROBE, isFree ? OK : FAIL).add();
    }

    private void tally() {
        Request look = new Request(0, BsonConversion.toServer(GuardedCounter.look()), false, Optional.empty());
        world.server()
                .execute(
                        look,
                        executed -> recorder.line(0, TALLY, OK)
                                .value(GuardedCounter.count(
                                        BsonConversion.reply(executed.reply().orElseThrow())))
                                .add());
    }

    private void probe() {
        SimulatedClient late = world.newClient(ClockFault.NONE);
        late.build(() -> probe(late));
    }

    private void probe(SimulatedClient late) {
        recorder.line(late.id(), PROBE, INVOKE).add();
        switch (world.manner().use()) {
            case SEVERAL, IN_PARTS, ONE_BY_ONE ->
                late.acquireAll(Locks.several(), PROBING, held -> probed(late, !held.isEmpty()));
            default -> late.acquire(PROBING, holding -> probed(late, holding.isPresent()));
        }
    }
}
