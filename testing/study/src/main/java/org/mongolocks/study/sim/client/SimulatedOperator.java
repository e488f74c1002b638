package org.mongolocks.study.sim.client;

import static org.mongolocks.study.history.Event.Op.FORCE;
import static org.mongolocks.study.history.Event.Phase.FAIL;
import static org.mongolocks.study.history.Event.Phase.INFO;
import static org.mongolocks.study.history.Event.Phase.INVOKE;
import static org.mongolocks.study.history.Event.Phase.OK;

import java.util.Optional;
import java.util.function.Consumer;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.sim.config.Workload.Locks;
import org.mongolocks.study.sim.net.Network.Purpose;

/** An operator with a client of its own, which inspects the lock and force-releases it with the snapshot. */
public final class SimulatedOperator {
    private final SimulatedClient client;
    private Optional<LockSnapshot> seen = Optional.empty();

    public SimulatedOperator(SimulatedClient client) {
        this.client = client;
    }

    /**
     * Reads the lock with a local read.
     *
     * @param then called with the number of the holder's client; not called if the lock is not held, or nothing is
     *     known
     */
    public void look(Consumer<Integer> then) {
        client.runner(Purpose.OPERATE)
                .runThenClose(
                        () -> strategy().inspect(Locks.one()),
                        result -> {
                            seen = result.filter(LockSnapshot::isHeld);
                            seen.flatMap(LockSnapshot::holder)
                                    .ifPresent(owner -> then.accept(
                                            client.world().acquisition(owner).client()));
                        },
                        failure -> {});
    }

    /**
     * Returns whether the snapshot shows a held lock.
     *
     * @return true if it may be force-released
     */
    public boolean hasSeen() {
        return seen.isPresent();
    }

    /** Force-releases the lock, if it has not changed since the snapshot. */
    public void forceRelease() {
        LockSnapshot snapshot = seen.orElseThrow();
        int grant = client.world().acquisition(snapshot.holder().orElseThrow()).grant();
        SimulatedStepRunner runner = client.runner(Purpose.OPERATE);
        note(INVOKE, grant, snapshot, 0);
        runner.runThenClose(
                () -> strategy().forceRelease(snapshot),
                released -> note(released ? OK : FAIL, grant, snapshot, runner.lastCommit()),
                failure -> note(INFO, grant, snapshot, 0));
    }

    private LockStrategy strategy() {
        return client.settings().strategy();
    }

    private void note(Phase phase, int grant, LockSnapshot snapshot, long commit) {
        client.line(FORCE, phase, grant)
                .decided(snapshot.fencingToken(), commit)
                .add();
    }
}
