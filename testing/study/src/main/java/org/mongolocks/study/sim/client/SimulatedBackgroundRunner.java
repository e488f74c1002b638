package org.mongolocks.study.sim.client;

import static org.mongolocks.study.history.Event.Op.RENEW;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.BackgroundRunner;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.RenewalTime;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.sim.client.SimulatedClient.WorkerLock;
import org.mongolocks.study.sim.driver.SimulatedWorld;

/** Runs the background programs of one client: its renewals, and releases that are repeated. */
final class SimulatedBackgroundRunner implements BackgroundRunner {
    private final SimulatedWorld world;
    private final int client;
    private final Function<TimeBudget, SimulatedStepRunner> runners;
    private final ClientSettings settings;
    private final ClientRuns runs;
    private final boolean repeatsReleases;
    private final Map<LockName, Followed> followed = new LinkedHashMap<>();

    /** The lock with a name that is renewed. */
    private record Followed(WorkerLock holding, ToLongFunction<Lease> until) {}

    SimulatedBackgroundRunner(
            SimulatedWorld world,
            int client,
            Function<TimeBudget, SimulatedStepRunner> runners,
            ClientSettings settings,
            ClientRuns runs,
            boolean repeatsReleases) {
        this.world = world;
        this.client = client;
        this.runners = runners;
        this.settings = settings;
        this.runs = runs;
        this.repeatsReleases = repeatsReleases;
    }

    /** Records the renewals of a lock. */
    void follow(WorkerLock holding, ToLongFunction<Lease> until) {
        followed.put(holding.hold().lease().name(), new Followed(holding, until));
    }

    /** Only the library releases in the background. */
    @Override
    public <R> CompletableFuture<R> run(String verb, LockName name, Supplier<Step<R>> program) {
        return repeatsReleases
                ? run(verb, Optional.empty(), TimeBudget.perCommand(settings.commandTimeout()), program)
                : CompletableFuture.failedFuture(new IllegalStateException("An article's client repeats no release"));
    }

    @Override
    public <R> CompletableFuture<R> renew(LockName name, Supplier<RenewalTime> time, Supplier<Step<R>> program) {
        return run(
                "Renewing",
                Optional.of(name),
                TimeBudget.forRenewal(settings, time.get(), runs.slowestWrite()),
                program);
    }

    private <R> CompletableFuture<R> run(
            String verb, Optional<LockName> renewed, TimeBudget limit, Supplier<Step<R>> program) {
        Followed lock = renewed.map(followed::get).orElse(null);
        Renewal<R> renewal = new Renewal<>(verb, lock, runners.apply(limit));
        note(lock, Phase.INVOKE, renewal.started);
        renewal.runner.run(program::get, renewal);
        return renewal.result;
    }

    /** One running program. */
    private final class Renewal<R> implements SimulatedStepRunner.Ending<R> {
        private final String verb;
        private final @Nullable Followed lock;
        private final long started = world.nowNanos();
        private final SimulatedStepRunner runner;
        private final CompletableFuture<R> result = new CompletableFuture<>();

        Renewal(String verb, @Nullable Followed lock, SimulatedStepRunner runner) {
            this.verb = verb;
            this.lock = lock;
            this.runner = runner;
            runner.serving(lock == null ? 0 : lock.holding().grant());
        }

        /** Completing the result updates the lease and those of a batch, or does not. */
        @Override
        public void done(R answer) {
            runner.close();
            Map<Followed, Lease> before = new LinkedHashMap<>();
            Optional.ofNullable(lock).ifPresent(named -> before.put(named, leaseOf(named)));
            followed.values().forEach(each -> before.put(each, leaseOf(each)));
            result.complete(answer);
            before.forEach((each, lease) -> {
                boolean isRenewed = !leaseOf(each).equals(lease);
                if (isRenewed || each.equals(lock)) {
                    note(each, isRenewed ? Phase.OK : Phase.FAIL, started);
                }
            });
        }

        @Override
        public void failed(Reply.Failed failure) {
            runner.close();
            note(lock, Phase.INFO, started);
            result.completeExceptionally(LockTask.withoutLock(verb).exception(failure));
        }
    }

    private static Lease leaseOf(Followed lock) {
        return lock.holding().hold().lease();
    }

    private void note(@Nullable Followed lock, Phase phase, long started) {
        if (lock != null) {
            Lease lease = leaseOf(lock);
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
