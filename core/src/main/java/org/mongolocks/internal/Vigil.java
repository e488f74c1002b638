package org.mongolocks.internal;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.Timer;

/**
 * Wakes for one held lock when somebody is to be warned and when its lease ends. A renewal moves these away and is not
 * waited for: the vigil wakes at the old time, sees that it is too early, and sleeps on. Thread-safe.
 */
final class Vigil {
    private final Hold hold;
    private final Timer timer;
    private Timer.Timeout wakeUp = () -> {};
    private boolean ended;

    Vigil(Hold hold, Timer timer) {
        this.hold = hold;
        this.timer = timer;
    }

    /** Sets the time to wake anew. */
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
            hold.look();
        } finally {
            plan();
        }
    }
}
