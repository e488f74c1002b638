package org.mongolocks.study.sim.client;

import static org.mongolocks.study.history.Event.Op.ACQUIRE;
import static org.mongolocks.study.history.Event.Phase.FAIL;
import static org.mongolocks.study.history.Event.Phase.INFO;
import static org.mongolocks.study.history.Event.Phase.INVOKE;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.internal.acquire.MultiLockAcquisition;
import org.mongolocks.internal.acquire.MultiLockResult;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.spi.Reply;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.sim.Workload.Locks;
import org.mongolocks.study.sim.client.SimulatedClient.WorkerLock;
import org.mongolocks.study.sim.net.Network.Purpose;

/** One acquisition of several locks, all or none, as the clients do it. */
final class SimulatedMultiLockAcquire implements SimulatedStepRunner.Ending<MultiLockResult> {
    private final SimulatedClient client;
    private final MultiLockRequest request;
    private final Consumer<List<WorkerLock>> then;
    private final Map<LockName, Integer> grants = new HashMap<>();
    private final MultiLockAcquisition acquisition;
    private final SimulatedStepRunner runner;

    /** Calls back with all locks, or with an empty list. */
    SimulatedMultiLockAcquire(SimulatedClient client, MultiLockRequest request, Consumer<List<WorkerLock>> then) {
        this.client = client;
        this.request = request;
        this.then = then;
        this.acquisition = new MultiLockAcquisition(client.settings(), request, client.waiterQueues(), client.holds());
        this.runner = client.runner(Purpose.ACQUIRE, acquisition.limit().orElseThrow());
    }

    void begin() {
        for (LockName name : request.names()) {
            grants.put(name, client.world().newGrant());
            line(name, INVOKE, "");
        }
        runner.run(acquisition::start, this);
    }

    @Override
    public void done(MultiLockResult grant) {
        acquisition.close();
        if (grant instanceof MultiLockResult.Held held) {
            List<WorkerLock> holdings = held.holds().stream().map(this::held).toList();
            runner.close();
            then.accept(holdings);
        } else {
            nothing(
                    grant instanceof MultiLockResult.Unknown ? INFO : FAIL,
                    grant.getClass().getSimpleName());
        }
    }

    @Override
    public void failed(Reply.Failed failure) {
        acquisition.close();
        nothing(FAIL, failure.fault().name());
    }

    /** Releases the locks that were held, as the clients do. */
    @Override
    public void brokenOff(LockException error) {
        acquisition.close();
        String note = error.getClass().getSimpleName();
        if (!acquisition.needsCompensation()) {
            nothing(FAIL, note);
            return;
        }
        runner.run(acquisition::compensate, new SimulatedStepRunner.Ending<>() {
            @Override
            public void done(Boolean wereHeld) {
                nothing(FAIL, note);
            }

            @Override
            public void failed(Reply.Failed failure) {
                nothing(INFO, note);
            }
        });
    }

    private WorkerLock held(Hold hold) {
        LockName name = hold.lease().name();
        return client.held(new Grant(grants.getOrDefault(name, 0), hold, runner.lastCommit()));
    }

    /** The result for one of the locks. */
    record Grant(int id, Hold hold, long commit) {}

    private void nothing(Phase phase, String note) {
        acquisition.pendingCompensation().ifPresentOrElse(runner::compensateThenClose, runner::close);
        request.names().forEach(name -> line(name, phase, note));
        then.accept(List.of());
    }

    private void line(LockName name, Phase phase, String note) {
        client.line(ACQUIRE, phase, grants.getOrDefault(name, 0))
                .lock(Locks.number(name))
                .note(note)
                .add();
    }
}
