package org.mongolocks.study.sim.client;

import static org.mongolocks.study.history.Event.Op.RELEASE;
import static org.mongolocks.study.history.Event.Phase.FAIL;
import static org.mongolocks.study.history.Event.Phase.INFO;
import static org.mongolocks.study.history.Event.Phase.INVOKE;
import static org.mongolocks.study.history.Event.Phase.OK;

import org.mongolocks.spi.Reply;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.sim.client.SimulatedClient.WorkerLock;
import org.mongolocks.study.sim.net.Network.Purpose;

/** One release, as the clients do it. */
final class SimulatedRelease implements SimulatedStepRunner.Ending<Boolean> {
    private final SimulatedClient client;
    private final WorkerLock holding;
    private final Runnable then;
    private final SimulatedStepRunner runner;

    SimulatedRelease(SimulatedClient client, WorkerLock holding, Runnable then) {
        this.client = client;
        this.holding = holding;
        this.then = then;
        this.runner = client.runner(Purpose.RELEASE).serving(holding.grant());
    }

    void begin() {
        note(INVOKE, 0);
        runner.run(() -> client.engine().release(holding.hold()), this);
    }

    @Override
    public void done(Boolean released) {
        end(released ? OK : FAIL, runner.lastCommit());
    }

    @Override
    public void failed(Reply.Failed failure) {
        end(INFO, 0);
    }

    private void end(Phase phase, long commit) {
        runner.close();
        note(phase, commit);
        then.run();
    }

    private void note(Phase phase, long commit) {
        client.line(RELEASE, phase, holding).decided(holding.token(), commit).add();
    }
}
