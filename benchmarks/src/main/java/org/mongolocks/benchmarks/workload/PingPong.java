package org.mongolocks.benchmarks.workload;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.lock.AcquiredLock;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.lock.LockImplementation.WaitMode;
import org.mongolocks.benchmarks.run.ProtectedData;
import org.mongolocks.benchmarks.sampling.ConcurrentTasks;

/**
 * A ping-pong of two participants with one lock. While one participant holds the lock, the other waits; a hand-off
 * lasts from immediately before the release until the grant to the other. A participant requests the lock again only
 * after the other has acquired it, so that the two never race.
 */
public final class PingPong {
    private final LockRequest request;
    private final ProtectedData data;
    private final HandOffTiming pace;
    private final long endNanos;
    private final Histogram nanos = new ConcurrentHistogram(3);
    private volatile long releasedNanos;
    private final AtomicInteger uncounted;

    public PingPong(LockRequest request, ProtectedData data, HandOffTiming pace) {
        this.request = request;
        this.data = data;
        this.pace = pace;
        this.endNanos = System.nanoTime() + pace.time().toNanos();
        this.uncounted = new AtomicInteger(pace.uncounted());
    }

    /**
     * Runs until the time is over and at least one hand-off was measured; returns the duration of each hand-off in
     * nanoseconds.
     */
    public Histogram run(BenchmarkParticipant first, BenchmarkParticipant second) throws InterruptedException {
        Semaphore firstMayAcquire = new Semaphore(1);
        Semaphore secondMayAcquire = new Semaphore(0);
        ConcurrentTasks.run(List.of(
                new Runner(first, firstMayAcquire, secondMayAcquire),
                new Runner(second, secondMayAcquire, firstMayAcquire)));
        return nanos;
    }

    private boolean goesOn() {
        return System.nanoTime() < endNanos || nanos.getTotalCount() == 0;
    }

    private void entered(long now) {
        if (uncounted.getAndDecrement() <= 0) {
            nanos.recordValue(now - releasedNanos);
        }
    }

    private final class Runner implements Callable<Boolean> {
        private final BenchmarkParticipant locks;
        private final Semaphore mayAcquire;
        private final Semaphore otherMayAcquire;

        Runner(BenchmarkParticipant locks, Semaphore mayAcquire, Semaphore otherMayAcquire) {
            this.locks = locks;
            this.mayAcquire = mayAcquire;
            this.otherMayAcquire = otherMayAcquire;
        }

        @Override
        public Boolean call() throws InterruptedException {
            mayAcquire.acquire();
            while (goesOn()) {
                round();
                mayAcquire.acquire();
            }
            otherMayAcquire.release();
            return true;
        }

        private void round() throws InterruptedException {
            AcquiredLock grant = locks.acquire(request)
                    .orElseThrow(() -> new LockException("A released lock was not granted to its waiter"));
            entered(System.nanoTime());
            otherMayAcquire.release();
            data.visit(grant.fencingToken());
            hold();
            releasedNanos = System.nanoTime();
            if (!grant.release()) {
                throw new LockException("A lock had been lost when it was released");
            }
        }

        private void hold() throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(pace.holdNanos());
        }
    }

    /**
     * The timing of hand-offs between two participants. The hold time is random, so that no polling waiter is
     * synchronized with the releases.
     *
     * @param shortestHold the minimum hold time, long enough for the other participant to be waiting already
     * @param longestHold the maximum hold time; greater than the minimum
     * @param uncounted the number of hand-offs before the first that counts
     */
    public record HandOffTiming(Duration shortestHold, Duration longestHold, int uncounted, Duration time) {
        private static final Duration MIN_HOLD = Duration.ofMillis(5);
        private static final Duration HOLD_RANGE = Duration.ofMillis(10);
        /** A notified waiter opens its change stream during the first hand-offs. */
        private static final int UNTIL_NOTIFIED = 4;

        private static final int WARM_UP_HOLD_DIVISOR = 10;
        private static final int WARM_UP_TIME_FACTOR = 2;

        /** Returns the timing of a measurement. */
        public static HandOffTiming measured(WaitMode waiting, Duration time) {
            Duration longest = MIN_HOLD.plus(HOLD_RANGE).plus(waiting.period());
            return new HandOffTiming(MIN_HOLD, longest, waiting.period().isZero() ? UNTIL_NOTIFIED : 1, time);
        }

        /**
         * Returns the timing of a warm-up with many hand-offs, so that the JVM has compiled the code before the
         * measurement.
         */
        public static HandOffTiming warmingUp(Duration time) {
            Duration longest = MIN_HOLD.plus(HOLD_RANGE).dividedBy(WARM_UP_HOLD_DIVISOR);
            Duration shortest = MIN_HOLD.dividedBy(WARM_UP_HOLD_DIVISOR);
            return new HandOffTiming(shortest, longest, 0, time.multipliedBy(WARM_UP_TIME_FACTOR));
        }

        long holdNanos() {
            return ThreadLocalRandom.current().nextLong(shortestHold.toNanos(), longestHold.toNanos());
        }
    }
}
