package org.mongolocks.sync;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Supplier;
import org.mongolocks.LockName;
import org.mongolocks.internal.run.ClientRuns.BackgroundRunner;
import org.mongolocks.internal.run.DaemonThreads;
import org.mongolocks.internal.run.RenewalTime;
import org.mongolocks.internal.settings.ClientSettings.LeaseSettings;
import org.mongolocks.spi.Step;
import org.mongolocks.time.Timer;

/** The threads of one client: one for its timer, a few for renewals and releases, some more for listeners. */
final class ClientThreads implements BackgroundRunner {
    /** They release locks whose handles were garbage-collected. */
    private static final int MAX_RELEASERS = 4;
    /** When the client is closed, nothing else is waiting for connections. */
    private static final int MAX_CLOSERS = 32;
    /** They run pending compensations, separately from renewals, which they must not delay. */
    private static final int MAX_COMPENSATORS = 4;
    /**
     * With more pending compensations than this, the server has been unreachable for long: the remaining locks stay
     * held until their ttl has passed.
     */
    private static final int MAX_PENDING = 1_000;
    /** The time that the threads get to end, however little of the limit is left. */
    private static final Duration MIN_END = Duration.ofMillis(100);

    private final Sessions sessions;
    private final DaemonThreads threads;
    private final Timer timer;
    private final Executor renewers;
    /**
     * Other threads than the first tries have: a command that hangs occupies one for the time of its try, and a lock
     * whose renewals keep hanging delays no other.
     */
    private final Executor retriers;

    private final ThreadPoolExecutor releasers;
    private final Executor compensators;

    ClientThreads(Sessions sessions) {
        this.sessions = sessions;
        this.threads = new DaemonThreads(sessions.settings().instance());
        this.timer = holding().timer().orElseGet(threads::timer);
        this.renewers = threads.growingPool("renewal");
        this.retriers = threads.growingPool("renewal-retry");
        this.releasers = threads.pool("release", MAX_RELEASERS, new LinkedBlockingQueue<>());
        this.compensators = threads.pool("compensation", MAX_COMPENSATORS, new LinkedBlockingQueue<>(MAX_PENDING));
    }

    /** Returns the timer for leases and renewals. */
    Timer timer() {
        return timer;
    }

    /** Returns the timer of real time, which the replies of a server take whatever the time of leases is. */
    Timer realTime() {
        return threads.timer();
    }

    /** Returns an executor that rejects a task when too many wait already. */
    Executor compensations() {
        return compensators;
    }

    Executor listeners() {
        return threads.listeners(holding().listeners());
    }

    @Override
    public <R> CompletableFuture<R> run(String verb, LockName name, Supplier<Step<R>> program) {
        return start(releasers, () -> sessions.run(verb, name, program));
    }

    @Override
    public <R> CompletableFuture<R> renew(LockName name, Supplier<RenewalTime> time, Supplier<Step<R>> program) {
        return start(renewers, () -> sessions.renew(name, time.get(), program));
    }

    @Override
    public <R> CompletableFuture<R> renewAgain(LockName name, Supplier<RenewalTime> time, Supplier<Step<R>> program) {
        return start(retriers, () -> sessions.renew(name, time.get(), program));
    }

    private static <R> CompletableFuture<R> start(Executor pool, Callable<R> work) {
        CompletableFuture<R> result = new CompletableFuture<>();
        FutureTask<R> task = new FutureTask<>(work) {
            @Override
            protected void done() {
                settle(this, result);
            }
        };
        try {
            pool.execute(task);
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(e);
        }
        CompletableFuture<R> unused = result.whenComplete((done, error) -> task.cancel(true));
        return result;
    }

    /**
     * Starts more threads for releases: when the client is closed, many locks may be released one by one, and nothing
     * is renewed any more.
     */
    void expectReleases() {
        releasers.setMaximumPoolSize(MAX_CLOSERS);
        releasers.setCorePoolSize(MAX_CLOSERS);
    }

    /**
     * Ends all threads when their tasks have ended, or the time is over. Listeners may complete until then. An interrupt
     * ends the wait for them.
     */
    void end(long deadlineNanos) throws InterruptedException {
        threads.stop(Duration.ofNanos(Math.max(MIN_END.toNanos(), deadlineNanos - System.nanoTime())));
    }

    private LeaseSettings holding() {
        return sessions.settings().holding();
    }

    private static <R> void settle(FutureTask<R> done, CompletableFuture<R> result) {
        if (done.isCancelled()) {
            result.cancel(false);
            return;
        }
        try {
            result.complete(done.get());
        } catch (ExecutionException e) {
            result.completeExceptionally(e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            result.completeExceptionally(e);
        }
    }
}
