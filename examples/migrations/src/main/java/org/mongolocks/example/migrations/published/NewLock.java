package org.mongolocks.example.migrations.published;

import java.time.Duration;
import org.mongolocks.LockRequest;
import org.mongolocks.sync.LockClient;

final class NewLock {
    private final LockClient locks;

    NewLock(LockClient locks) {
        this.locks = locks;
    }

    // begin
    boolean runLocked(String name, Runnable work) throws InterruptedException {
        LockRequest request = LockRequest.of(name, Duration.ofSeconds(30)).keepAlive();
        return locks.tryWithLock(request, lock -> work.run());
    }
    // end
}
