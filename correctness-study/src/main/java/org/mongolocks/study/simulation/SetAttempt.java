package org.mongolocks.study.simulation;

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
import org.mongolocks.LockSetRequest;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.acquire.SetAcquisition;
import org.mongolocks.internal.acquire.SetGrant;
import org.mongolocks.spi.Reply;
import org.mongolocks.study.history.Event.Phase;

/** One acquisition of several locks, all or none, as the clients do it. */
final class SetAttempt implements Runner.Ending<SetGrant> {
    private final SimulatedClient client;
    private final LockSetRequest request;
    private final Consumer<List<Holding>> then;
    private final Map<LockName, Integer> grants = new HashMap<>();
    private final SetAcquisition acquisition;
    private final Runner runner;

    /** Calls back with all locks, or with an empty list. */
    SetAttempt(SimulatedClient client, LockSetRequest request, Consumer<List<Holding>> then) {
        this.client = client;
        this.request = request;
        this.then = then;
        this.acquisition = new SetAcquisition(client.settings(), request, client.room(), client.holds());
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
    public void done(SetGrant grant) {
        acquisition.end();
        if (grant instanceof SetGrant.Held held) {
            List<Holding> holdings = held.holds().stream().map(this::held).toList();
            runner.close();
            then.accept(holdings);
        } else {
            nothing(
                    grant instanceof SetGrant.Unknown ? INFO : FAIL,
                    grant.getClass().getSimpleName());
        }
    }

    @Override
    public void failed(Reply.Failed failure) {
        acquisition.end();
        nothing(FAIL, failure.fault().name());
    }

    /** Releases the locks that were held, as the clients do. */
    @Override
    public void brokenOff(LockException error) {
        acquisition.end();
        String note = error.getClass().getSimpleName();
        if (!acquisition.mayHold()) {
            nothing(FAIL, note);
            return;
        }
        runner.run(acquisition::takeBack, new Runner.Ending<>() {
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

    private Holding held(Hold hold) {
        LockName name = hold.lease().name();
        return client.held(new Grant(grants.getOrDefault(name, 0), hold, runner.lastCommit()));
    }

    /** The result for one of the locks. */
    record Grant(int id, Hold hold, long commit) {}

    private void nothing(Phase phase, String note) {
        if (acquisition.isOwing()) {
            acquisition.limit().orElseThrow().lift();
            runner.run(acquisition::takeBack, new Runner.Ending<>() {
                @Override
                public void done(Boolean wereHeld) {
                    runner.close();
                }

                @Override
                public void failed(Reply.Failed failure) {
                    runner.close();
                }
            });
        } else {
            runner.close();
        }
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
