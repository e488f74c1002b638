package org.mongolocks.internal.engine;

import static java.lang.System.Logger.Level.WARNING;

import com.mongodb.connection.ClusterDescription;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.mongolocks.ClientStatus;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.Owner;
import org.mongolocks.internal.acquire.AcquireResult;
import org.mongolocks.internal.acquire.LockAcquisition;
import org.mongolocks.internal.acquire.MultiLockAcquisition;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.HoldRegistry;
import org.mongolocks.internal.reentrant.ReentrantHolds;
import org.mongolocks.internal.run.BackgroundLog;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.BackgroundRunner;
import org.mongolocks.internal.run.CompensatedProgram;
import org.mongolocks.internal.run.TimeBudget.FaultRetry;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;
import org.mongolocks.internal.wait.WaiterQueues;
import org.mongolocks.spi.Step;
import org.mongolocks.time.Timer;

/**
 * One lock client without its driver: the locks that it awaits and those that it holds, and the programs that acquire and
 * release them. The synchronous, the reactive and the simulated client each build one on their own {@link Platform}, and
 * run its programs. Thread-safe.
 */
public final class ClientEngine {
    private final ClientSettings settings;
    private final ClientRuns runs;
    private final WaiterQueues queues;
    private final HoldRegistry holds;
    private final ReentrantHolds reentries;

    /**
     * What a driver and its threads supply.
     *
     * @param feed opens change streams
     * @param realTime the timer of real time, which the replies of a server take whatever the time of leases is
     * @param background runs renewals, and releases that nobody waits for
     * @param deployment returns the driver's description of the servers; empty if there is none
     */
    public record Platform(
            ChangeFeed feed,
            Timer timer,
            Timer realTime,
            Executor listeners,
            BackgroundRunner background,
            Optional<Supplier<ClusterDescription>> deployment) {}

    /** Builds the parts of a client. Nothing is sent, and no thread is started. */
    public ClientEngine(ClientSettings settings, ClientRuns runs, Platform platform) {
        this.settings = settings;
        this.runs = runs;
        this.queues = new WaiterQueues(
                settings, runs, new WaiterQueues.Streams(platform.feed(), platform.realTime(), this::renewSoon));
        this.holds = new HoldRegistry(
                settings,
                platform.timer(),
                platform.listeners(),
                platform.background(),
                queues::notifyingWaiters,
                platform.deployment());
        this.reentries = new ReentrantHolds(settings, holds);
    }

    private void renewSoon() {
        holds.renewSoon();
    }

    public WaiterQueues queues() {
        return queues;
    }

    public HoldRegistry holds() {
        return holds;
    }

    public ReentrantHolds reentries() {
        return reentries;
    }

    /**
     * Begins to acquire a lock.
     *
     * @param request the lock, the ttl and the wait
     * @return the acquisition; its deadline counts from this call
     * @throws org.mongolocks.ClientClosedException if the client is closed
     * @throws IllegalArgumentException if the ttl does not exceed the client's skew margin
     */
    public CompensatedProgram<AcquireResult> acquire(LockRequest request) {
        return acquire(request, settings.newOwner());
    }

    /**
     * Begins to acquire a lock for a certain owner.
     *
     * @param request the lock, the ttl and the wait
     * @param owner a fresh owner
     * @return the acquisition; its deadline counts from this call
     */
    public CompensatedProgram<AcquireResult> acquire(LockRequest request, Owner owner) {
        queues.requireOpen();
        return new LockAcquisition(
                settings, request, owner, queues, holds, settings.time().nanoTime());
    }

    /** Begins to acquire several locks, all or none; the deadline counts from this call. */
    public CompensatedProgram<AcquireResult> acquireAll(MultiLockRequest request) {
        queues.requireOpen();
        return new MultiLockAcquisition(settings, request, queues, holds);
    }

    /** Begins to release a lock, and returns the program that does it, see {@link HoldRegistry#releasing}. */
    public Step<Boolean> release(Hold hold) {
        return holds.releasing(hold);
    }

    /** Returns a program that reads the state of a lock. */
    public Step<Optional<LockSnapshot>> inspect(LockName name) {
        return retrying(() -> settings.strategy().inspect(name));
    }

    /** Returns a program that reads the states of locks. */
    public Step<LockPage> list(LockQuery query) {
        return retrying(() -> settings.strategy().list(query));
    }

    private <R> Step<R> retrying(Supplier<Step<R>> read) {
        return FaultRetry.lasting(settings, settings.commandTimeout()).retrying(read, Step::done);
    }

    /** Force-releases a lock as the operator saw it, wakes the waiters of this client, and logs who did it. */
    public Step<Boolean> forceRelease(LockSnapshot seen) {
        return queues.notifyingWaiters(seen.name(), settings.strategy().forceRelease(seen))
                .andThen(freed -> {
                    if (freed) {
                        BackgroundLog.log(WARNING, forcedBy(seen));
                    }
                    return Step.done(freed);
                });
    }

    private String forcedBy(LockSnapshot seen) {
        String holder = seen.holder().map(owner -> " of '" + owner + "'").orElse(" without a holder");
        return "Lock '" + seen.name() + "'" + holder + " (token " + seen.fencingToken() + ") was released by force, by"
                + " instance '" + settings.instance() + "'";
    }

    public ClientStatus status() {
        return new ClientStatus(holds.isClosing(), queues.changeStream());
    }

    /** Refuses acquisitions from now on. The future completes when no lock is held any more. */
    public CompletableFuture<Void> drain() {
        CompletableFuture<Void> drained = holds.drain();
        queues.close();
        return drained;
    }

    /**
     * {@linkplain #end Ends} the client, and starts to release its locks. A later call waits for the releases of the first.
     *
     * @return completes when all locks are released as far as possible; it never fails
     */
    public CompletableFuture<Void> close() {
        CompletableFuture<Void> released = holds.close();
        endWaiting();
        return released;
    }

    private void endWaiting() {
        queues.close();
        queues.closeSignals()
                .end(settings.time().nanoTime()
                        + settings.holding().closeTimeout().toNanos());
        runs.pressure().stop();
    }

    /**
     * Refuses acquisitions from now on, and ends renewals, waits and pauses.
     *
     * @return the locks that are still held, which the caller must {@link HoldRegistry#release release}; empty if another
     *     call has ended the client
     */
    public Optional<List<Hold>> end() {
        Optional<List<Hold>> last = holds.end();
        endWaiting();
        return last;
    }
}
