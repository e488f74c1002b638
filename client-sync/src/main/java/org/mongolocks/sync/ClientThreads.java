package org.mongolocks.sync;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.mongolocks.LockName;
import org.mongolocks.Timer;
import org.mongolocks.internal.run.BackgroundRunner;
import org.mongolocks.internal.run.CoalescingTimer;
import org.mongolocks.spi.Step;

/**
 * The threads of one client: one for its timer, a few for renewals and releases, some more for listeners. All are
 * daemon threads, start when needed, and end after some idle time.
 */
final class ClientThreads implements BackgroundRunner {
    /** A command that hangs occupies one of them; the others continue to renew. */
    private static final int MAX_RENEWERS = 4;
    /** They run pending compensations, separately from renewals, which they must not delay. */
    private static final int MAX_RETURNERS = 4;
    /**
     * With more pending compensations than this, the server has been unreachable for long: the remaining locks stay
     * held until their ttl has passed.
     */
    private static final int MAX_PENDING = 1_000;
    /** A listener that blocks occupies one of them. */
    private static final int MAX_LISTENERS = 32;

    private static final long IDLE_SECONDS = 10;
    /** The time that the threads get to end, however little of the limit is left. */
    private static final Duration MIN_END = Duration.ofMillis(100);

    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final Sessions sessions;
    private final ScheduledThreadPoolExecutor clock;
    private final ThreadPoolExecutor renewers;
    private final ThreadPoolExecutor returners;
    private final ThreadPoolExecutor listeners;

    ClientThreads(Sessions sessions) {
        String client = sessions.settings().instance();
        this.sessions = sessions;
        this.clock = new ScheduledThreadPoolExecutor(1, work -> new Daemon(this, "timer", client, work));
        clock.setRemoveOnCancelPolicy(true);
        idle(clock);
        this.renewers = pool(MAX_RENEWERS, "renewal", client, new LinkedBlockingQueue<>());
        this.returners = pool(MAX_RETURNERS, "return", client, new LinkedBlockingQueue<>(MAX_PENDING));
        this.listeners = pool(MAX_LISTENERS, "listener", client, new LinkedBlockingQueue<>());
    }

    /** A thread with a reference to its client. */
    private static final class Daemon extends Thread {
        private final ClientThreads group;

        Daemon(ClientThreads group, String kind, String client, Runnable work) {
            super(work, "mongo-locks-" + kind + "-" + client);
            this.group = group;
            setDaemon(true);
        }
    }

    /** Returns a timer that wakes its thread only for tasks that become due. */
    Timer timer() {
        return new CoalescingTimer(this::later, sessions.settings().time());
    }

    /** A client that is closed schedules nothing. */
    private Timer.Timeout later(Duration delay, Runnable task) {
        try {
            Future<?> later = clock.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> later.cancel(false);
        } catch (RejectedExecutionException e) {
            return () -> {};
        }
    }

    /** Returns an executor that rejects a task when too many wait already. */
    Executor returns() {
        return returners;
    }

    Executor listeners() {
        return listeners;
    }

    @Override
    public <R> CompletableFuture<R> run(String verb, LockName name, Supplier<Step<R>> program) {
        CompletableFuture<R> result = new CompletableFuture<>();
        FutureTask<R> task = new FutureTask<>(() -> sessions.run(verb, name, program)) {
            @Override
            protected void done() {
                settle(this, result);
            }
        };
        try {
            renewers.execute(task);
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(e);
        }
        CompletableFuture<R> unused = result.whenComplete((done, error) -> task.cancel(true));
        return result;
    }

    /** Ends all threads when their tasks have ended, or the time is over. */
    void endAfter(CompletableFuture<Void> last, long deadlineNanos) throws InterruptedException {
        await(last, deadlineNanos);
        end(Duration.ofNanos(Math.max(MIN_END.toNanos(), deadlineNanos - System.nanoTime())));
    }

    /** Ends all threads, and waits at most that long for their tasks. Listeners may complete until then. */
    private void end(Duration wait) throws InterruptedException {
        clock.shutdownNow();
        renewers.shutdownNow();
        returners.shutdownNow();
        listeners.shutdown();
        if (Thread.currentThread() instanceof Daemon daemon && daemon.group == this) {
            return;
        }
        long deadlineNanos = System.nanoTime() + wait.toNanos();
        await(clock, deadlineNanos);
        await(renewers, deadlineNanos);
        await(returners, deadlineNanos);
        await(listeners, deadlineNanos);
        listeners.shutdownNow();
    }

    /** Ends all threads without waiting. */
    void stop() {
        clock.shutdownNow();
        renewers.shutdownNow();
        returners.shutdownNow();
        listeners.shutdownNow();
    }

    private ThreadPoolExecutor pool(int most, String kind, String client, BlockingQueue<Runnable> queue) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                most, most, IDLE_SECONDS, TimeUnit.SECONDS, queue, work -> new Daemon(this, kind, client, work));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static void idle(ScheduledThreadPoolExecutor clock) {
        clock.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        clock.allowCoreThreadTimeOut(true);
    }

    private static void await(CompletableFuture<Void> ended, long deadlineNanos) throws InterruptedException {
        try {
            ended.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            LOG.log(WARNING, "A lock client was closed before all its locks were released");
        } catch (ExecutionException e) {
            throw new IllegalStateException("A lock client could not be closed", e.getCause());
        }
    }

    private static void await(ExecutorService threads, long deadlineNanos) throws InterruptedException {
        threads.awaitTermination(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
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
