package org.mongolocks.example.plain;

import java.time.Duration;
import org.mongolocks.LockRequest;
import org.mongolocks.sync.LockClient;

/** Limits of jobs over all instances. */
final class JobLimits {
    private final LockClient locks;

    JobLimits(LockClient locks) {
        this.locks = locks;
    }

    /** Runs the work unless so many run at once already; returns whether it was run. */
    boolean atMost(int limit, String name, Runnable work) throws InterruptedException {
        for (int slot = 0; slot < limit; slot++) {
            if (locks.tryWithLock(name + "-" + slot, lock -> work.run())) {
                return true;
            }
        }
        return false;
    }

    /** Runs the work unless it was begun within the last interval; returns whether it was run. */
    boolean atMostEvery(Duration interval, String name, Runnable work) throws InterruptedException {
        LockRequest request = LockRequest.of(name, interval).holdAtLeast(interval);
        return locks.tryWithLock(request, lock -> work.run());
    }
}
