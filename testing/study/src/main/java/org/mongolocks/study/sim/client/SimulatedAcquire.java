package org.mongolocks.study.sim.client;

import static org.mongolocks.study.history.Event.Op.ACQUIRE;
import static org.mongolocks.study.history.Event.Op.QUEUED;
import static org.mongolocks.study.history.Event.Phase.FAIL;
import static org.mongolocks.study.history.Event.Phase.INFO;
import static org.mongolocks.study.history.Event.Phase.INVOKE;
import static org.mongolocks.study.history.Event.Phase.OK;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.bson.BsonNumber;
import org.mongolocks.LockException;
import org.mongolocks.LockInterruptedException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.Owner;
import org.mongolocks.internal.acquire.AcquireResult;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.run.CompensatedProgram;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.Reply;
import org.mongolocks.study.check.Promptness;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.sim.client.SimulatedClient.WorkerLock;
import org.mongolocks.study.sim.config.Workload.Locks;
import org.mongolocks.study.sim.net.Network.Purpose;

/** One acquisition of one client, of one or several locks: run as the clients run it, and recorded. */
final class SimulatedAcquire implements SimulatedStepRunner.Ending<AcquireResult> {
    private final SimulatedClient client;
    private final Map<LockName, Integer> grants;
    private final CompensatedProgram<AcquireResult> acquisition;
    private final Consumer<List<WorkerLock>> then;
    private final SimulatedStepRunner runner;
    private final boolean isFair;
    private boolean isCompensated;
    private boolean over;

    private SimulatedAcquire(
            SimulatedClient client,
            Map<LockName, Integer> grants,
            CompensatedProgram<AcquireResult> acquisition,
            boolean isFair,
            Consumer<List<WorkerLock>> then) {
        this.client = client;
        this.grants = grants;
        this.acquisition = acquisition;
        this.isFair = isFair;
        this.then = then;
        this.runner = client.runner(Purpose.ACQUIRE, acquisition.limit().orElseThrow());
    }

    /** Acquires a lock, and calls back with it or without. */
    static void begin(SimulatedClient client, LockRequest request, Consumer<Optional<WorkerLock>> then) {
        int grant = client.world().newGrant();
        Owner owner = client.newOwner();
        client.world().asks(owner, client.id(), grant);
        SimulatedAcquire acquire = new SimulatedAcquire(
                client,
                Map.of(request.name(), grant),
                client.engine().acquire(request, owner),
                request.isFair(),
                held -> then.accept(held.stream().findFirst()));
        acquire.runner.serving(grant);
        client.world()
                .interruptAfter(client.id())
                .ifPresent(wait -> client.process().after(wait.toNanos(), acquire::interrupt));
        acquire.begin();
    }

    /** Acquires several locks, and calls back with all of them, or with an empty list. */
    static void begin(SimulatedClient client, MultiLockRequest request, Consumer<List<WorkerLock>> then) {
        Map<LockName, Integer> grants = new LinkedHashMap<>();
        request.names().forEach(name -> grants.put(name, client.world().newGrant()));
        new SimulatedAcquire(client, grants, client.engine().acquireAll(request), false, then).begin();
    }

    private void begin() {
        note(INVOKE, "");
        runner.run(acquisition, this);
    }

    /** Records each reply that shows it in the list of waiters. */
    @Override
    public void received(Reply reply) {
        if (isFair && isListed(reply)) {
            grants.values()
                    .forEach(grant -> client.line(QUEUED, OK, grant)
                            .decided(0, runner.lastCommit())
                            .add());
        }
    }

    private static boolean isListed(Reply reply) {
        return reply instanceof Reply.Found found
                && found.document()
                        .filter(stored -> stored.get(LockFields.POSITION) instanceof BsonNumber position
                                && position.intValue() >= 0)
                        .isPresent();
    }

    @Override
    public void done(AcquireResult result) {
        if (result instanceof AcquireResult.Held held) {
            end();
            then.accept(held.holds().stream().map(this::held).toList());
        } else if (result instanceof AcquireResult.Unknown) {
            nothing(INFO, Promptness.INDETERMINATE);
        } else {
            nothing(FAIL, result.getClass().getSimpleName());
        }
    }

    private WorkerLock held(Hold hold) {
        return client.held(grants.getOrDefault(hold.lease().name(), 0), hold, runner.lastCommit());
    }

    /** The library has compensated a possible grant; an article does not compensate. */
    @Override
    public void failed(Reply.Failed failure) {
        nothing(client.isShipped() ? FAIL : INFO, failure.fault().name());
    }

    /** Whatever may have been granted was released in the same session, unless that got no reply. */
    @Override
    public void brokenOff(LockException error) {
        boolean isSettled = error.getSuppressed().length == 0 && (client.isShipped() || !isCompensated);
        nothing(isSettled ? FAIL : INFO, error.getClass().getSimpleName());
    }

    private void interrupt() {
        if (!over) {
            isCompensated = acquisition.needsCompensation();
            runner.stop(new LockInterruptedException("Acquiring", Optional.empty(), null));
        }
    }

    private void nothing(Phase phase, String note) {
        end();
        note(phase, note);
        then.accept(List.of());
    }

    private void end() {
        over = true;
        if (client.isShipped()) {
            runner.end();
        } else {
            acquisition.close();
            runner.close();
        }
    }

    private void note(Phase phase, String note) {
        grants.forEach((name, grant) -> client.line(ACQUIRE, phase, grant)
                .lock(Locks.number(name))
                .note(note)
                .add());
    }
}
