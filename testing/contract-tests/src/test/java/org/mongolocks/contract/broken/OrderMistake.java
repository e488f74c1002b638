package org.mongolocks.contract.broken;

import java.util.Optional;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.protocol.ForwardingStrategy;
import org.mongolocks.spi.LockStrategy;

/** A mistake in how a client handles fair requests or deadlines. */
enum OrderMistake implements Mistake {
    /** Handles a fair request as any other where there are no lists of waiters. */
    PROMISES_NO_ORDER {
        @Override
        public LockStrategy in(LockStrategy strategy) {
            return new ForwardingStrategy(strategy) {
                @Override
                public Optional<String> waitingList() {
                    return Optional.empty();
                }
            };
        }

        @Override
        Optional<BlockingLock> acquire(BlockingLocks locks, LockRequest request) throws InterruptedException {
            return locks.acquire(new LockRequest(request.name(), request.ttl(), request.waitAtMost()));
        }
    },
    /** Returns after twice the time. */
    WAITS_TWICE_AS_LONG {
        @Override
        Optional<BlockingLock> acquire(BlockingLocks locks, LockRequest request) throws InterruptedException {
            try {
                return locks.acquire(request);
            } catch (LockException e) {
                return locks.acquire(request);
            }
        }
    };

    abstract Optional<BlockingLock> acquire(BlockingLocks locks, LockRequest request) throws InterruptedException;

    @Override
    public BlockingLocks in(BlockingLocks locks) {
        return new ForwardingLocks(locks) {
            /** Requests without a wait are handled correctly. */
            @Override
            public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
                return request.waitAtMost().isZero()
                        ? super.acquire(request)
                        : OrderMistake.this.acquire(locks, request);
            }
        };
    }
}
