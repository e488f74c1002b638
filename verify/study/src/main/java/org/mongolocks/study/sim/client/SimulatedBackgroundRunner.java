package org.mongolocks.study.sim.client;

import static org.mongolocks.study.history.Event.Op.RENEW;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.internal.run.BackgroundRunner;
import org.mongolocks.internal.run.LockExceptions;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.workload.WorkerLock;

/** Runs the background programs of one client: its renewals. */
final class SimulatedBackgroundRunner implements BackgroundRunner {
    private final SimulationRun world;
    private final int client;
    private final Supplier<SimulatedStepRunner> runners;
    private final Map<LockName, Followed> followed = new HashMap<>();

    /** The lock with a name that is renewed. */
    private record Followed(WorkerLock holding, ToLongFunction<Lease> until) {}

    SimulatedBackgroundRunner(SimulationRun world, int client, Supplier<SimulatedStepRunner> runners) {
        this.world = world;
        this.client = client;
        this.runners = runners;
    }

    /** Records the renewals of a lock. */
    void follow(WorkerLock holding, ToLongFunction<Lease> until) {
        followed.put(holding.hold().lease().name(), new Followed(holding, until));
    }

    @Override
    public <R> CompletableFuture<R> run(String verb, LockName name, Supplier<Step<R>> program) {
        Followed lock = followed.get(name);
        Renewal<R> renewal = new Renewal<>(verb, lock);
        note(lock, Phase.INVOKE, renewal.started);
        renewal.runner.run(program, renewal);
        return renewal.result;
    }

    /** One running program. */
    private final class Renewal<R> implements SimulatedStepRunner.Ending<R> {
        private final String verb;
        private final @Nullable Followed lock;
        private final long started = world.nowNanos();
        private final SimulatedStepRunner runner = runners.get();
        private final CompletableFuture<R> result = new CompletableFuture<>();

        Renewal(String verb, @Nullable Followed lock) {
            this.verb = verb;
            this.lock = lock;
            runner.serving(lock == null ? 0 : lock.holding().grant());
        }

        /** Completing the result updates the lease, or does not. */
        @Override
        public void done(R answer) {
            runner.close();
            Lease before = lease();
            result.complete(answer);
            note(lock, Objects.equals(lease(), before) ? Phase.FAIL : Phase.OK, started);
        }

        @Override
        public void failed(Reply.Failed failure) {
            runner.close();
            note(lock, Phase.INFO, started);
            result.completeExceptionally(LockExceptions.of(verb, failure));
        }

        private @Nullable Lease lease() {
            return lock == null ? null : lock.holding().hold().lease();
        }
    }

    private void note(@Nullable Followed lock, Phase phase, long started) {
        if (lock != null) {
            Lease lease = lock.holding().hold().lease();
            world.recorder()
                    .line(client, RENEW, phase)
                    .grant(lock.holding().grant())
                    .lock(lock.holding().lock())
                    .decided(lease.fencingToken(), 0)
                    .lease(started, lock.until().applyAsLong(lease))
                    .add();
        }
    }
}
