package org.mongolocks.study.process.child;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.sim.Scenario.FaultPoint;
import org.mongolocks.study.sim.server.ProtectedResources;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;

/**
 * One thread of a child, with the same steps as the simulator's workers: think, acquire, read, work, check the lease,
 * write, release.
 */
final class ChildWorker implements Runnable {
    private static final DurationRange THINK = DurationRange.millis(10, 100);
    private static final DurationRange WORK = DurationRange.millis(50, 250);
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(25);
    /** How often a holder works and writes in one critical section. */
    private static final int MAX_WRITES = 2;

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

    /** Stops the worker after its critical section; a worker that waits for the lock stops waiting. */
    void stop() {
        asking.stop();
    }

    @Override
    public void run() {
        try {
            while (!asking.isOver()) {
                rest(THINK.draw(random));
                Optional<HeldLockMonitor> tenure =
                        HeldLockMonitor.acquire(notes, contender, () -> asking.ask(contender));
                if (tenure.isPresent()) {
                    section(tenure.get());
                }
            }
        } catch (InterruptedException e) {
            // The end of the run; nothing is held.
            return;
        }
    }

    private void section(HeldLockMonitor tenure) throws InterruptedException {
        parent.reached(id, FaultPoint.GRANTED);
        ProtectedResources.Values values = parent.read(id, tenure.grantToken());
        int writes = 1 + random.nextInt(MAX_WRITES);
        boolean goesOn = true;
        for (int i = 0; i < writes && goesOn; i++) {
            goesOn = workAndWrite(tenure, values, i);
        }
        parent.reached(id, FaultPoint.DONE);
        tenure.release();
        parent.tell(new ChildMessage.Sent(contender.sent()));
    }

    private boolean workAndWrite(HeldLockMonitor tenure, ProtectedResources.Values read, int written)
            throws InterruptedException {
        parent.reached(id, FaultPoint.WORKING);
        work(tenure);
        if (!tenure.mayGoOn()) {
            notes.note(Event.Op.ABORT, Event.Phase.OK, tenure.grant(), "");
            return false;
        }
        parent.reached(id, FaultPoint.CHECKED);
        ProtectedResources.Values values = new ProtectedResources.Values(
                read.unfenced() + written, read.fenced() + written, read.touchFenced() + written);
        parent.write(id, tenure.grantToken(), values);
        return true;
    }

    /** Works for a while, and checks its lease now and then. */
    private void work(HeldLockMonitor tenure) throws InterruptedException {
        for (long left = WORK.draw(random); left > 0; left -= SLICE_NANOS) {
            rest(Math.min(left, SLICE_NANOS));
            tenure.recordLease();
        }
    }

    private static void rest(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos);
    }
}
