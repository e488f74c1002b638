package org.mongolocks.example.migrations.published;

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
            return locks.tryWithLock(name, lock -> work.run());
        } finally {
            old.release(name);
        }
    }
    // end
}
