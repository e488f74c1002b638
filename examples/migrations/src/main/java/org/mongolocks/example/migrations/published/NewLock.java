package org.mongolocks.example.migrations.published;

import org.mongolocks.sync.LockClient;

final class NewLock {
    private final LockClient locks;

    NewLock(LockClient locks) {
        this.locks = locks;
    }

    // begin
    boolean runLocked(String name, Runnable work) throws InterruptedException {
        return locks.tryWithLock(name, lock -> work.run());
    }
    // end
}
