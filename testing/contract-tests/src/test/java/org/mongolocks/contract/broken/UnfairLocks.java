package org.mongolocks.contract.broken;

import java.util.Optional;
import org.mongolocks.LockRequest;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;

/** A client with a mistake in how it waits; requests without a queue or a wait are handled correctly. */
final class UnfairLocks extends ForwardingLocks {
    private final BlockingLocks locks;
    private final OrderMistake mistake;

    UnfairLocks(BlockingLocks locks, OrderMistake mistake) {
        super(locks);
        this.locks = locks;
        this.mistake = mistake;
    }

    @Override
    public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
        boolean isPlain = !request.isFair() && request.waitAtMost().isZero();
        return isPlain ? locks.acquire(request) : mistake.acquire(locks, request);
    }
}
