package org.mongolocks.study.simulation;

import static org.mongolocks.study.history.Event.Op.ACQUIRE;
import static org.mongolocks.study.history.Event.Op.LOST;
import static org.mongolocks.study.history.Event.Phase.FAIL;
import static org.mongolocks.study.history.Event.Phase.INFO;
import static org.mongolocks.study.history.Event.Phase.INVOKE;
import static org.mongolocks.study.history.Event.Phase.OK;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.mongolocks.Lease;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockRequest;
import org.mongolocks.internal.Acquisition;
import org.mongolocks.internal.CommandLimit;
import org.mongolocks.internal.Hold;
import org.mongolocks.spi.Reply;
import org.mongolocks.study.history.Event.Phase;

/** Is one acquisition of one client, as the clients' acquirers have it: until it ends or is interrupted. */
final class Attempt implements Runner.Ending<LockOutcome> {
    private final SimulatedClient client;
    private final LockRequest request;
    private final Consumer<Optional<Holding>> then;
    private final int grant;
    private final Acquisition acquisition;
    private final CommandLimit limit;
    private final Runner runner;
    private boolean over;

    Attempt(SimulatedClient client, LockRequest request, Consumer<Optional<Holding>> then) {
        this.client = client;
        this.request = request;
        this.then = then;
        this.grant = client.world().newGrant();
        this.acquisition = new Acquisition(client.settings(), request, client.newOwner(), client.room());
        this.limit = acquisition.limit().orElseThrow();
        this.runner = client.runner(Purpose.ACQUIRE, limit).serving(grant);
    }

    void begin() {
        client.line(ACQUIRE, INVOKE, grant).add();
        client.world()
                .interruptAfter(client.id())
                .ifPresent(wait -> client.process().after(wait.toNanos(), this::interrupt));
        runner.run(acquisition::start, this);
    }

    @Override
    public void done(LockOutcome outcome) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            end();
            held(acquired.lease());
        } else {
            nothing(outcome instanceof LockOutcome.Contended ? FAIL : INFO, "");
        }
    }

    /** The library has taken back what it may have got; an article takes nothing back. */
    @Override
    public void failed(Reply.Failed failure) {
        nothing(client.isShipped() ? FAIL : INFO, failure.fault().name());
    }

    private void interrupt() {
        if (!over) {
            over = true;
            runner.stop(this::takeBack);
        }
    }

    /** What the server may have granted is taken back, in the same session. */
    private void takeBack() {
        if (!acquisition.mayHold()) {
            nothing(FAIL, "interrupted");
            return;
        }
        runner.run(acquisition::takeBack, new Runner.Ending<>() {
            @Override
            public void done(Boolean wasHeld) {
                nothing(client.isShipped() ? FAIL : INFO, "interrupted, and taken back");
            }

            @Override
            public void failed(Reply.Failed failure) {
                nothing(INFO, "interrupted");
            }
        });
    }

    private void nothing(Phase phase, String note) {
        end();
        client.line(ACQUIRE, phase, grant).note(note).add();
        then.accept(Optional.empty());
    }

    private void end() {
        over = true;
        acquisition.end();
        if (client.isShipped() && acquisition.isOwing()) {
            giveBack();
        } else {
            runner.close();
        }
    }

    /** What is owed is done in the same session, when nobody waits for it any more. */
    private void giveBack() {
        limit.lift();
        runner.run(acquisition::takeBack, new Runner.Ending<>() {
            @Override
            public void done(Boolean wasHeld) {
                runner.close();
            }

            @Override
            public void failed(Reply.Failed failure) {
                runner.close();
            }
        });
    }

    private void held(Lease lease) {
        client.line(ACQUIRE, OK, grant)
                .decided(lease.fencingToken(), runner.lastCommit())
                .lease(beginningOf(lease), endOf(lease))
                .add();
        Hold hold = client.holds().add(request, lease).orElseThrow();
        hold.onLost((lost, reason) ->
                client.line(LOST, OK, grant).note(reason.name()).add());
        Holding holding = new Holding(grant, hold, lease.fencingToken(), runner.lastCommit());
        client.renewals().follow(holding, this::endOf);
        then.accept(Optional.of(holding));
    }

    private long beginningOf(Lease lease) {
        Duration margin = client.settings().holding().marginFor(request.ttl());
        return client.process()
                .clock()
                .realTimeOf(lease.validUntilNanos() + margin.minus(lease.ttl()).toNanos());
    }

    /** Who heeds no lease believes in it for ever. */
    private long endOf(Lease lease) {
        return client.isShipped() ? client.process().clock().realTimeOf(lease.validUntilNanos()) : Long.MAX_VALUE;
    }
}
