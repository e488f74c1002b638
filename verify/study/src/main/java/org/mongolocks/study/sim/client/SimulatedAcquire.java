package org.mongolocks.study.sim.client;

import static org.mongolocks.study.history.Event.Op.ACQUIRE;
import static org.mongolocks.study.history.Event.Op.QUEUED;
import static org.mongolocks.study.history.Event.Phase.FAIL;
import static org.mongolocks.study.history.Event.Phase.INFO;
import static org.mongolocks.study.history.Event.Phase.INVOKE;
import static org.mongolocks.study.history.Event.Phase.OK;

import java.util.Optional;
import java.util.function.Consumer;
import org.bson.BsonArray;
import org.mongolocks.Lease;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.Owner;
import org.mongolocks.internal.acquire.Acquisition;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.run.PendingCompensation;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.study.check.Promptness;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.Recorder;
import org.mongolocks.study.sim.Workload.Locks;
import org.mongolocks.study.sim.client.SimulatedClient.WorkerLock;
import org.mongolocks.study.sim.net.Network.Purpose;

/** One acquisition of one client, as the clients do it: until it ends or is interrupted. */
final class SimulatedAcquire implements SimulatedStepRunner.Ending<LockOutcome> {
    private final SimulatedClient client;
    private final LockRequest request;
    private final Consumer<Optional<WorkerLock>> then;
    private final int grant;
    private final Acquisition acquisition;
    private final SimulatedStepRunner runner;
    private boolean over;

    SimulatedAcquire(SimulatedClient client, LockRequest request, Consumer<Optional<WorkerLock>> then) {
        this.client = client;
        this.request = request;
        this.then = then;
        this.grant = client.world().newGrant();
        Owner owner = client.newOwner();
        client.world().asks(owner, client.id(), grant);
        this.acquisition = new Acquisition(client.settings(), request, owner, client.waiterQueues());
        this.runner = client.runner(Purpose.ACQUIRE, acquisition.limit().orElseThrow())
                .serving(grant);
    }

    void begin() {
        line(INVOKE).add();
        client.world()
                .interruptAfter(client.id())
                .ifPresent(wait -> client.process().after(wait.toNanos(), this::interrupt));
        runner.run(() -> request.isFair() ? queued(acquisition.start()) : acquisition.start(), this);
    }

    /** Records each reply that shows it in the list of waiters. */
    private Step<LockOutcome> queued(Step<LockOutcome> step) {
        if (step instanceof Step.Call<LockOutcome> call) {
            return Step.call(call.op(), reply -> {
                if (isListed(reply)) {
                    client.line(QUEUED, OK, grant)
                            .decided(0, runner.lastCommit())
                            .add();
                }
                return queued(call.then().apply(reply));
            });
        }
        return step.intercept(this::queued);
    }

    private static boolean isListed(Reply reply) {
        return reply instanceof Reply.Found found
                && found.document()
                        .filter(stored -> stored.get(LockFields.POSITIONS) instanceof BsonArray positions
                                && positions.get(0).asNumber().intValue() >= 0)
                        .isPresent();
    }

    @Override
    public void done(LockOutcome outcome) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            end();
            held(acquired.lease());
        } else if (outcome instanceof LockOutcome.Contended) {
            nothing(FAIL, "");
        } else {
            nothing(INFO, Promptness.INDETERMINATE);
        }
    }

    /** The library has compensated a possible grant; an article does not compensate. */
    @Override
    public void failed(Reply.Failed failure) {
        nothing(client.isShipped() ? FAIL : INFO, failure.fault().name());
    }

    /** A granted lock has been released again. */
    @Override
    public void brokenOff(LockException error) {
        nothing(FAIL, error.getClass().getSimpleName());
    }

    private void interrupt() {
        if (!over) {
            over = true;
            runner.stop(this::compensate);
        }
    }

    /** Compensates a possible grant, in the same session. */
    private void compensate() {
        if (!acquisition.needsCompensation()) {
            nothing(FAIL, "interrupted");
            return;
        }
        runner.run(acquisition::compensate, new SimulatedStepRunner.Ending<>() {
            @Override
            public void done(Boolean wasHeld) {
                nothing(client.isShipped() ? FAIL : INFO, "interrupted, and compensated");
            }

            @Override
            public void failed(Reply.Failed failure) {
                nothing(INFO, "interrupted");
            }
        });
    }

    private void nothing(Phase phase, String note) {
        end();
        line(phase).note(note).add();
        then.accept(Optional.empty());
    }

    private void end() {
        over = true;
        acquisition.close();
        Optional<PendingCompensation> pending =
                client.isShipped() ? acquisition.pendingCompensation() : Optional.empty();
        pending.ifPresentOrElse(runner::compensateThenClose, runner::close);
    }

    private Recorder.Line line(Phase phase) {
        return client.line(ACQUIRE, phase, grant).lock(Locks.number(request.name()));
    }

    private void held(Lease lease) {
        Hold hold = client.holds().add(request, lease).orElseThrow();
        then.accept(Optional.of(client.held(new SimulatedMultiLockAcquire.Grant(grant, hold, runner.lastCommit()))));
    }
}
