package org.mongolocks.contract;

import java.util.Optional;
import org.mongolocks.LockRequest;

/** A client with a mistake, around a correct one. */
final class WorseLocks extends LocksInDisguise {
    private final BlockingLocks locks;
    private final ClientMistake mistake;

    WorseLocks(BlockingLocks locks, ClientMistake mistake) {
        super(locks);
        this.locks = locks;
        this.mistake = mistake;
    }

    @Override
    public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
        return mistake.acquire(locks, request).map(lock -> mistake.held(lock, locks));
    }
}
