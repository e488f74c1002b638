package org.mongolocks.study.process.child;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.mongolocks.study.process.child.TestedLocks.Request;
import org.mongolocks.study.process.child.TestedLocks.TestedLock;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.ParentMessage;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.server.ProtectedResources.Values;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique.TechniqueConfig;

/**
 * One thread of a child, with the same steps as the simulator's workers: think, acquire, read, work, check the lease,
 * write, release. If it varies, requests differ, some work takes as long as a lease, and now and then the client is
 * closed and another is opened.
 */
final class ChildWorker implements Runnable {
    private static final DurationRange THINK = DurationRange.millis(10, 100);
    private static final DurationRange WORK = DurationRange.millis(50, 250);
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(25);
    /** How often a holder works and writes in one critical section. */
    private static final int MAX_WRITES = 2;

    private static final int MAX_WAIT_MILLIS = 3_000;
    private static final double KEPT_ALIVE = 0.6;
    private static final double FAIR = 0.3;
    private static final double LONG_WORK = 0.03;
    private static final int LONG_WORK_FACTOR = 10;
    private static final double REOPENING = 0.01;

    private final int id;
    private final ChildMain child;
    private final RecordedLocks client;
    private final boolean varies;
    private final RandomGenerator random;
    private final BlockingQueue<ParentMessage.Answer> answers = new LinkedBlockingQueue<>();
    private @Nullable Thread acquiring;
    private boolean isOver;

    ChildWorker(int id, ChildMain child, RecordedLocks client, ParentMessage.Start config) {
        this.id = id;
        this.child = child;
        this.client = client;
        this.varies = config.varies();
        this.random = new Random(config.seed() * 31 + id);
    }

    /** Receives the parent's answer to the question that the worker waits for. */
    void answered(ParentMessage.Answer answer) {
        answers.add(answer);
    }

    private ParentMessage.Answer ask(ChildMessage question) throws InterruptedException {
        child.tell(question);
        return answers.take();
    }

    /**
     * Stops the worker after its critical section. A worker that waits for the lock stops waiting, unless it soon does so
     * anyway: an interrupted call of an article's technique leaves its lock behind, which is no fault of the row.
     */
    synchronized void stop() {
        isOver = true;
        TechniqueConfig config = client.technique().config();
        boolean waitsShortly = !config.isShipped() && config.waitAtMost().toSeconds() <= LibraryLocks.TIMEOUT_SECONDS;
        if (acquiring != null && !waitsShortly) {
            acquiring.interrupt();
        }
    }

    private synchronized boolean isOver() {
        return isOver;
    }

    @Override
    public void run() {
        try {
            while (!isOver()) {
                rest(THINK.draw(random));
                ChildMessage next = new ChildMessage.Next(id, client.technique().name(), child.commands());
                int lock = ask(next).lock();
                if (lock == ParentMessage.NO_LOCK) {
                    return;
                } else if (lock != ParentMessage.NO_LOCK_YET) {
                    use(lock);
                }
            }
        } catch (InterruptedException e) {
            // The end of the run; nothing is held.
            return;
        }
    }

    private void use(int number) throws InterruptedException {
        if (varies && random.nextDouble() < REOPENING) {
            client.reopen();
        }
        Request request = request(RealTechniques.lock(number).value());
        Optional<RecordedLocks.Held> held = client.acquire(number, () -> acquire(request));
        if (held.isPresent()) {
            section(held.get());
        }
    }

    private Request request(String lock) {
        TechniqueConfig config = client.technique().config();
        return varies
                ? new Request(
                        lock,
                        Duration.ofMillis(random.nextInt(MAX_WAIT_MILLIS)),
                        random.nextDouble() < KEPT_ALIVE,
                        random.nextDouble() < FAIR)
                : new Request(lock, config.waitAtMost(), config.isKeptAlive(), false);
    }

    /** Acquires a lock, and can be interrupted by {@link #stop} only meanwhile. */
    private Optional<TestedLock> acquire(Request request) throws InterruptedException {
        synchronized (this) {
            if (isOver) {
                throw new InterruptedException("The run has ended");
            }
            acquiring = Thread.currentThread();
        }
        try {
            return client.locks().acquire(request);
        } finally {
            synchronized (this) {
                acquiring = null;
                if (isOver) {
                    // A late interrupt is cleared, so that an acquired lock is used normally.
                    Thread.interrupted();
                }
            }
        }
    }

    private void section(RecordedLocks.Held held) throws InterruptedException {
        Values values = reached(FaultPoint.GRANTED, held, Values.NONE).values();
        int writes = 1 + random.nextInt(MAX_WRITES);
        int factor = varies && random.nextDouble() < LONG_WORK ? LONG_WORK_FACTOR : 1;
        for (int i = 0; i < writes; i++) {
            long wanted = reached(FaultPoint.WORKING, held, Values.NONE).workNanos();
            work(held, wanted == 0 ? factor * WORK.draw(random) : wanted);
            if (!held.mayContinue()) {
                break;
            }
            reached(FaultPoint.CHECKED, held, values.plus(i));
        }
        reached(FaultPoint.DONE, held, Values.NONE);
        held.release();
    }

    private ParentMessage.Answer reached(FaultPoint point, RecordedLocks.Held held, Values values)
            throws InterruptedException {
        return ask(new ChildMessage.Reached(id, point, held.grantToken(), values));
    }

    /** Works for a while, and checks its lease now and then. */
    private static void work(RecordedLocks.Held held, long nanos) throws InterruptedException {
        for (long left = nanos; left > 0; left -= SLICE_NANOS) {
            held.look();
            rest(Math.min(left, SLICE_NANOS));
        }
    }

    private static void rest(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos);
    }
}
