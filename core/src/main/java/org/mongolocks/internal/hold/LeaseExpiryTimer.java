package org.mongolocks.internal.hold;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.Timer;

/**
 * The timer of one held lock, which wakes when an expiry warning is due and when the lease ends. A renewal moves these
 * times without a new timer: the old wake-up is spurious and re-arms the timer. Thread-safe.
 */
final class LeaseExpiryTimer {
    private final Hold hold;
    private final Timer timer;
    private Timer.Timeout wakeUp = () -> {};
    private boolean ended;

    LeaseExpiryTimer(Hold hold, Timer timer) {
        this.hold = hold;
        this.timer = timer;
    }

    /** Sets the time of the next wake-up. */
    void plan() {
        Optional<Duration> wait = hold.untilNextLook();
        wait.ifPresent(this::sleep);
    }

    synchronized void end() {
        ended = true;
        wakeUp.cancel();
    }

    private synchronized void sleep(Duration wait) {
        wakeUp.cancel();
        if (!ended) {
            wakeUp = timer.schedule(wait, this::wake);
        }
    }

    private void wake() {
        try {
            hold.checkExpiry();
        } finally {
            plan();
        }
    }
}
