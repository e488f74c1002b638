package org.mongolocks.contract.broken;

import java.util.Optional;
import org.mongolocks.LockRequest;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;

/** A client with a mistake, around a correct one. */
final class LocksWithAMistake extends ForwardingLocks {
    private final BlockingLocks locks;
    private final ClientMistake mistake;

    LocksWithAMistake(BlockingLocks locks, ClientMistake mistake) {
        super(locks);
        this.locks = locks;
        this.mistake = mistake;
    }

    @Override
    public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
        return mistake.acquire(locks, request).map(lock -> mistake.held(lock, locks));
    }
}
