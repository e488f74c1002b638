package org.mongolocks.internal.hold;

import com.mongodb.connection.ClusterDescription;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.run.ClientRuns.BackgroundRunner;
import org.mongolocks.internal.run.RenewalTime;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.Step;
import org.mongolocks.time.ManualTimer;

/**
 * A registry of held locks whose renewals have the outcomes of a {@link FakeStrategy}, on a time that only the test
 * moves.
 */
public final class HoldingLab {
    public static final Duration TTL = Lab.TTL;
    static final Duration MARGIN = Duration.ofSeconds(1);
    /** A third of the rest of the ttl. */
    static final Duration PERIOD = Duration.ofSeconds(3);

    static final Duration BACKOFF = Duration.ofMillis(250);

    public final Lab lab = new Lab();
    public final ManualTimer timer = new ManualTimer(lab.time);
    public final FakeStrategy strategy = new FakeStrategy();
    final List<LossReason> told = new CopyOnWriteArrayList<>();
    final Deque<Runnable> delayed = new ArrayDeque<>();
    /** Runs when a program is about to send its first operation. */
    Runnable beforeSending = () -> {};

    /** The limits of the renewals. */
    final List<TimeBudget> limits = new ArrayList<>();

    Duration backoff = BACKOFF;
    boolean delays;
    boolean broken;
    Executor listeners = Runnable::run;
    Optional<Supplier<ClusterDescription>> deployment = Optional.empty();
    private Optional<HoldRegistry> holds = Optional.empty();
    BiFunction<LockName, Step<Boolean>, Step<Boolean>> wakingWaiters = (name, release) -> release;

    public ClientSettings settings() {
        return lab.settings(strategy, MARGIN, backoff);
    }

    public HoldRegistry holds() {
        if (holds.isEmpty()) {
            holds = Optional.of(new HoldRegistry(settings(), timer, listeners, runner(), wakingWaiters, deployment));
        }
        return holds.get();
    }

    BackgroundRunner runner() {
        return new Inline();
    }

    /** Registers a lock that was granted just now, and records its loss. */
    public Hold hold(String name, boolean keptAlive) {
        LockRequest plain = LockRequest.of(name, TTL);
        long end = lab.time.nanoTime() + TTL.minus(MARGIN).toNanos();
        Lease lease = new Lease(LockName.of(name), Lab.OWNER, 7, TTL, end);
        LockRequest request = keptAlive ? plain : plain.fixedLease();
        Hold hold = holds().add(request, lease, lab.time.nanoTime(), lab.time.nanoTime())
                .orElseThrow();
        hold.onLost((lost, reason) -> told.add(reason));
        return hold;
    }

    /** Completes the delayed replies. */
    void answer() {
        while (!delayed.isEmpty()) {
            delayed.remove().run();
        }
    }

    /** A runner of programs on the calling thread, at once or when the test says. */
    private final class Inline implements BackgroundRunner {
        @Override
        public <R> CompletableFuture<R> run(String verb, LockName name, Supplier<Step<R>> program) {
            if (broken) {
                throw new LinkageError("no thread, for a test");
            }
            CompletableFuture<R> result = new CompletableFuture<>();
            Supplier<Step<R>> begun = begin(program);
            Runnable ending = () -> end(begun, result);
            if (delays) {
                delayed.add(ending);
            } else {
                ending.run();
            }
            return result;
        }

        @Override
        public <R> CompletableFuture<R> renew(LockName name, Supplier<RenewalTime> time, Supplier<Step<R>> program) {
            limits.add(TimeBudget.forRenewal(settings(), time.get(), Duration.ZERO));
            return run("Renewing", name, program);
        }

        /** Sends the first operation now; its reply may come later. */
        private <R> Supplier<Step<R>> begin(Supplier<Step<R>> program) {
            try {
                beforeSending.run();
                Step<R> first = program.get();
                return () -> first;
            } catch (RuntimeException e) {
                return () -> {
                    throw e;
                };
            }
        }

        private <R> void end(Supplier<Step<R>> begun, CompletableFuture<R> result) {
            try {
                Step<R> last = lab.run(begun.get());
                if (last instanceof Step.Done<R> done) {
                    result.complete(done.result());
                } else {
                    result.completeExceptionally(new IllegalStateException("failed"));
                }
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        }
    }
}
