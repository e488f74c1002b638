package org.mongolocks.study.simulation;

import static org.mongolocks.study.history.Event.Op.ENTER;
import static org.mongolocks.study.history.Event.Op.LEAVE;
import static org.mongolocks.study.history.Event.Phase.OK;

import java.util.Optional;
import java.util.function.Consumer;
import org.mongolocks.LockRequest;
import org.mongolocks.internal.reentrant.Share;
import org.mongolocks.internal.reentrant.Visit;
import org.mongolocks.internal.reentrant.Visit.Entrance;
import org.mongolocks.spi.Reply;
import org.mongolocks.study.history.Event.Op;

/** One reentrant acquisition, as the clients' reentrant locks do it. */
final class Reentering implements Runner.Ending<Entrance> {
    private final SimulatedClient client;
    private final int owner;
    private final Consumer<Optional<Handle>> then;
    private final Visit visit;
    private final Runner runner;

    /** The result of one acquisition. */
    record Handle(SimulatedClient client, int owner, Holding holding, Share share) {
        /** Releases it; the last one releases the lock. */
        void giveBack(Runnable then) {
            note(LEAVE);
            giveBackAgain(then);
        }

        /** Does nothing, except for the last one if its release has failed. */
        void giveBackAgain(Runnable then) {
            if (share.giveBack() == Share.Part.LAST && !holding.hold().isSettled()) {
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

    Reentering(SimulatedClient client, int owner, LockRequest request, Consumer<Optional<Handle>> then) {
        this.client = client;
        this.owner = owner;
        this.then = then;
        this.visit = client.reentries().visit(owner, request);
        this.runner = client.runner(Purpose.ACQUIRE);
    }

    void begin() {
        runner.run(visit::start, this);
    }

    @Override
    public void done(Entrance entrance) {
        runner.close();
        switch (entrance) {
            case ENTERED -> entered(client.holdingOf(visit.hold()), visit.share());
            case CONTENDED -> end(Optional.empty());
            case TO_BE_ACQUIRED -> new Attempt(client, visit.rest(), this::acquired).begin();
        }
    }

    @Override
    public void failed(Reply.Failed failure) {
        runner.close();
        end(Optional.empty());
    }

    private void acquired(Optional<Holding> granted) {
        granted.ifPresentOrElse(
                holding -> entered(holding, visit.acquired(holding.hold())), () -> end(Optional.empty()));
    }

    private void entered(Holding holding, Share share) {
        Handle handle = new Handle(client, owner, holding, share);
        handle.note(ENTER);
        end(Optional.of(handle));
    }

    private void end(Optional<Handle> handle) {
        visit.end();
        then.accept(handle);
    }
}
