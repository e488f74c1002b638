package org.mongolocks.study.process.child;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.mongolocks.LockRequest;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.ParentMessage;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.server.ProtectedResources;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;
import org.mongolocks.study.technique.RealTechniques;

/**
 * One thread of a child, with the same steps as the simulator's workers: think, acquire, read, work, check the lease,
 * write, release. Where the parent has several locks, requests differ, some work takes as long as a lease, and now and
 * then the client is closed and another is built.
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
    private final ParentConnection parent;
    private final ChildHistory notes;
    private final ChildClient contender;
    private final RandomGenerator random;
    private final InterruptibleAcquire asking = new InterruptibleAcquire();

    ChildWorker(int id, ParentConnection parent, ChildClient contender, Pen pen) {
        this.id = id;
        this.parent = parent;
        this.notes = pen.notes();
        this.contender = contender;
        this.random = pen.random();
    }

    /** A worker's recorder and random numbers. */
    record Pen(ChildHistory notes, RandomGenerator random) {}

    /**
     * Stops the worker after its critical section. A worker that waits for the lock stops waiting, unless it soon does so
     * anyway: an interrupted call of an article's technique leaves its lock behind, which is no fault of the row.
     */
    void stop() {
        asking.stop();
        if (!contender.waitsShortly()) {
            asking.interrupt();
        }
    }

    @Override
    public void run() {
        try {
            while (!asking.isOver()) {
                rest(THINK.draw(random));
                int lock = parent.nextLock(id, contender.technique());
                if (lock == ParentMessage.NO_LOCK) {
                    return;
                }
                use(lock);
            }
        } catch (InterruptedException e) {
            // The end of the run; nothing is held.
            return;
        }
    }

    private void use(int lock) throws InterruptedException {
        if (lock != 0 && random.nextDouble() < REOPENING) {
            contender.reopen();
        }
        LockRequest request = request(lock);
        Optional<HeldLockMonitor> held =
                HeldLockMonitor.acquire(notes.of(lock), contender, () -> asking.ask(() -> contender.acquire(request)));
        if (held.isPresent()) {
            section(held.get(), lock);
        }
    }

    private LockRequest request(int lock) {
        if (lock == 0) {
            return contender.request(RealTechniques.lock(lock));
        }
        LockRequest request = LockRequest.of(RealTechniques.lock(lock), RealTechniques.TTL)
                .waitAtMost(Duration.ofMillis(random.nextInt(MAX_WAIT_MILLIS)));
        request = random.nextDouble() < KEPT_ALIVE ? request : request.fixedLease();
        return random.nextDouble() < FAIR ? request.fair() : request;
    }

    private void section(HeldLockMonitor held, int lock) throws InterruptedException {
        parent.reached(id, FaultPoint.GRANTED);
        ProtectedResources.Values values = parent.read(id, held.grantToken());
        int writes = 1 + random.nextInt(MAX_WRITES);
        int factor = lock != 0 && random.nextDouble() < LONG_WORK ? LONG_WORK_FACTOR : 1;
        boolean continues = true;
        for (int i = 0; i < writes && continues; i++) {
            work(held, factor * WORK.draw(random));
            continues = write(held, values, i);
        }
        parent.reached(id, FaultPoint.DONE);
        held.release();
        parent.tell(new ChildMessage.Sent(parent.commands().get()));
    }

    private boolean write(HeldLockMonitor held, ProtectedResources.Values read, int written)
            throws InterruptedException {
        if (!held.mayContinue()) {
            held.aborts();
            return false;
        }
        parent.reached(id, FaultPoint.CHECKED);
        parent.write(id, held.grantToken(), read.plus(written));
        return true;
    }

    /** Works for a while, and checks its lease now and then. */
    private void work(HeldLockMonitor held, long nanos) throws InterruptedException {
        parent.reached(id, FaultPoint.WORKING);
        for (long left = nanos; left > 0; left -= SLICE_NANOS) {
            rest(Math.min(left, SLICE_NANOS));
            held.recordLease();
        }
    }

    private static void rest(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos);
    }
}
