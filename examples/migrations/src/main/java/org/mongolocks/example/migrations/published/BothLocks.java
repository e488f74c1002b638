package org.mongolocks.example.migrations.published;

import java.time.Duration;
import org.mongolocks.LockRequest;
import org.mongolocks.sync.LockClient;

final class BothLocks {
    private final OldLock old;
    private final LockClient locks;

    BothLocks(OldLock old, LockClient locks) {
        this.old = old;
        this.locks = locks;
    }

    // begin
    boolean runLocked(String name, Runnable work) throws InterruptedException {
        if (!old.acquire(name)) {
            return false;
        }
        try {
            LockRequest request = LockRequest.of(name, Duration.ofSeconds(30)).keepAlive();
            return locks.tryWithLock(request, lock -> work.run());
        } finally {
            old.release(name);
        }
    }
    // end
}
