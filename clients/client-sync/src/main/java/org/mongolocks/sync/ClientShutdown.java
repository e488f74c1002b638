package org.mongolocks.sync;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.mongolocks.internal.engine.ClientEngine;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.HoldRegistry;
import org.mongolocks.internal.run.ClientRuns.PauseWait;
import org.mongolocks.sync.Acquirer.RunningWork;
import org.mongolocks.sync.StepRunner.InterruptPolicy;

/**
 * The shutdown of a client, within the time of its settings. One call releases the locks and ends the threads;
 * calls that overlap with it wait for its releases. Thread-safe.
 */
final class ClientShutdown {
    /** Interrupted work gets this part of the time for closing; the rest is for the releases. */
    private static final int PARTS_OF_CLOSING = 2;

    private final Sessions sessions;
    private final ClientEngine engine;
    private final RunningWork work;
    /** Completes when the locks are released, or no more releases are sent. */
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    ClientShutdown(Sessions sessions) {
        this.sessions = sessions;
        this.engine = sessions.engine();
        this.work = sessions.work();
    }

    /**
     * Waits until no lock is held, as long as the settings say. Work of the calling thread cannot end meanwhile, and is
     * not awaited.
     */
    void close() {
        close(
                work.isOfThisThread()
                        ? Duration.ZERO
                        : sessions.settings().holding().drainTimeout());
    }

    /**
     * Waits until no lock is held, at most that long. Then the locks that are left are lost, which interrupts their work;
     * it waits for the end of that work, and closes. An interrupt ends the wait for the work, and is kept.
     */
    void close(Duration drain) {
        CompletableFuture<Void> drained = engine.drain();
        untilInterrupted(() -> await(drained, drain));
        end();
    }

    /**
     * Gives the work that was interrupted some time to end before other owners can acquire its locks. An interrupt ends
     * the wait for that work, for listeners, and for the releases of another call; not that for its own releases, because
     * the caller may close the driver's client next.
     */
    private void end() {
        long deadlineNanos = System.nanoTime() + closeTimeout().toNanos();
        Optional<List<Hold>> last = engine.end();
        untilInterrupted(() -> work.awaitEnd(closeTimeout().dividedBy(PARTS_OF_CLOSING)));
        untilInterrupted(() -> {
            if (last.isPresent()) {
                release(last.get(), deadlineNanos);
            } else {
                await(released, deadlineNanos, InterruptPolicy.Interruptible.INSTANCE);
            }
        });
    }

    private void release(List<Hold> last, long deadlineNanos) throws InterruptedException {
        ClientThreads threads = sessions.threads();
        threads.expectReleases();
        HoldRegistry holds = engine.holds();
        // A release of a holder that is in flight may fail, and is then repeated too.
        CompletableFuture<Void> ended = holds.release(last, Duration.ofNanos(deadlineNanos - System.nanoTime()))
                .thenCompose(done -> sessions.idle())
                .thenCompose(done -> holds.allReleased())
                .whenComplete((done, error) -> released.complete(null));
        try {
            await(ended, deadlineNanos, new InterruptPolicy.Uninterruptible());
            threads.end(deadlineNanos);
        } finally {
            released.complete(null);
        }
    }

    /** Waits for the releases, and logs when they take too long. */
    private <X extends Exception> void await(
            CompletableFuture<Void> ended, long deadlineNanos, InterruptPolicy<X> interrupts) throws X {
        interrupts.begin();
        long left = deadlineNanos - System.nanoTime();
        while (!ended.isDone() && left > 0) {
            interrupts.pause(new PauseWait(Duration.ofNanos(left), Optional.of(ended)));
            left = deadlineNanos - System.nanoTime();
        }
        interrupts.end();
        if (!ended.isDone()) {
            System.getLogger("org.mongolocks").log(WARNING, engine.holds().unreleasedMessage());
        }
    }

    /** A wait that an interrupt ends. */
    @FunctionalInterface
    private interface Wait {
        void run() throws InterruptedException;
    }

    /** Keeps an interrupt, which ends the waits that follow too. */
    private static void untilInterrupted(Wait wait) {
        try {
            wait.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration closeTimeout() {
        return sessions.settings().holding().closeTimeout();
    }

    private static void await(CompletableFuture<Void> drained, Duration limit) throws InterruptedException {
        try {
            drained.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            System.getLogger("org.mongolocks")
                    .log(
                            WARNING,
                            "Locks are held after the time for draining a lock client: their work, if they guard any, is interrupted");
        } catch (ExecutionException e) {
            throw new IllegalStateException("A lock client could not be drained", e.getCause());
        }
    }
}
