package org.mongolocks.study.sim.client;

import static org.mongolocks.study.history.Event.Op.ENTER;
import static org.mongolocks.study.history.Event.Op.LEAVE;
import static org.mongolocks.study.history.Event.Phase.OK;

import java.util.Optional;
import java.util.function.Consumer;
import org.mongolocks.LockRequest;
import org.mongolocks.internal.reentrant.HoldReference;
import org.mongolocks.internal.reentrant.ReentrantAcquisition;
import org.mongolocks.internal.reentrant.ReentrantAcquisition.Outcome;
import org.mongolocks.spi.Reply;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.sim.client.SimulatedClient.WorkerLock;
import org.mongolocks.study.sim.net.Network.Purpose;

/** One reentrant acquisition, as the clients' reentrant locks do it. */
public final class SimulatedReentry implements SimulatedStepRunner.Ending<Outcome> {
    private final SimulatedClient client;
    private final int owner;
    private final Consumer<Optional<Handle>> then;
    private final ReentrantAcquisition acquisition;
    private final SimulatedStepRunner runner;

    /** The result of one acquisition. */
    public record Handle(SimulatedClient client, int owner, WorkerLock holding, HoldReference share) {
        /** Releases it; the last one releases the lock. */
        public void release(Runnable then) {
            note(LEAVE);
            releaseAgain(then);
        }

        /** Does nothing, except for the last one if its release has failed. */
        public void releaseAgain(Runnable then) {
            if (share.release() == HoldReference.ReleaseAction.LAST
                    && !holding.hold().isReleaseConfirmed()) {
                client.release(holding, () -> {
                    share.released();
                    then.run();
                });
            } else {
                then.run();
            }
        }

        private void note(Op op) {
            client.line(op, OK, holding)
                    .decided(holding.hold().lease().fencingToken(), 0)
                    .value(owner)
                    .add();
        }
    }

    public SimulatedReentry(SimulatedClient client, int owner, LockRequest request, Consumer<Optional<Handle>> then) {
        this.client = client;
        this.owner = owner;
        this.then = then;
        this.acquisition =
                client.engine().reentries().acquisition(client.mistake().owner(owner), request);
        this.runner = client.runner(Purpose.ACQUIRE);
    }

    public void begin() {
        runner.run(acquisition, this);
    }

    @Override
    public void done(Outcome entrance) {
        runner.close();
        switch (entrance) {
            case ENTERED -> entered(client.holdingOf(acquisition.hold()), acquisition.share());
            case CONTENDED -> end(Optional.empty());
            case TO_BE_ACQUIRED -> SimulatedAcquire.begin(client, acquisition.remainingRequest(), this::acquired);
        }
    }

    @Override
    public void failed(Reply.Failed failure) {
        runner.close();
        end(Optional.empty());
    }

    private void acquired(Optional<WorkerLock> granted) {
        granted.ifPresentOrElse(
                holding -> entered(holding, acquisition.acquired(holding.hold())), () -> end(Optional.empty()));
    }

    private void entered(WorkerLock holding, HoldReference share) {
        Handle handle = new Handle(client, owner, holding, share);
        handle.note(ENTER);
        end(Optional.of(handle));
    }

    private void end(Optional<Handle> handle) {
        acquisition.end();
        then.accept(handle);
    }
}
