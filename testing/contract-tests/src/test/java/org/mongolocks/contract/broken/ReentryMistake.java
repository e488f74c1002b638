package org.mongolocks.contract.broken;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;

/** A mistake in how a client implements reentrancy. */
enum ReentryMistake implements Mistake {
    /** Sends a command for each acquisition. */
    IGNORES_OWNERS {
        @Override
        Optional<BlockingLock> enter(BlockingLocks locks, Object owner, LockRequest request)
                throws InterruptedException {
            return locks.acquire(request);
        }
    },
    /** Renews a lock that is already held, to see whether it is. */
    RENEWS_WHEN_IT_REENTERS {
        @Override
        Optional<BlockingLock> enter(BlockingLocks locks, Object owner, LockRequest request)
                throws InterruptedException {
            Optional<BlockingLock> entered = locks.enter(owner, request);
            if (entered.isPresent()) {
                entered.get().renew();
            }
            return entered;
        }
    },
    /** Treats every owner of the client as the same. */
    TREATS_ALL_OWNERS_AS_ONE {
        @Override
        Optional<BlockingLock> enter(BlockingLocks locks, Object owner, LockRequest request)
                throws InterruptedException {
            return locks.enter("anybody", request);
        }
    },
    /** Keeps one handle and does not count acquisitions. */
    DOES_NOT_COUNT_ENTRIES {
        @Override
        public BlockingLocks in(BlockingLocks locks) {
            Map<LockName, BlockingLock> known = new ConcurrentHashMap<>();
            return new ForwardingLocks(locks) {
                @Override
                public Optional<BlockingLock> enter(Object owner, LockRequest request) throws InterruptedException {
                    if (!known.containsKey(request.name())) {
                        super.enter(owner, request).ifPresent(lock -> known.put(request.name(), lock));
                    }
                    return Optional.ofNullable(known.get(request.name()));
                }
            };
        }
    },
    /** Uses a separate owner for each acquisition of one owner. */
    USES_AN_OWNER_PER_ACQUISITION {
        @Override
        Optional<BlockingLock> enter(BlockingLocks locks, Object owner, LockRequest request)
                throws InterruptedException {
            return locks.enter(List.of(owner, Thread.currentThread()), request);
        }
    };

    Optional<BlockingLock> enter(BlockingLocks locks, Object owner, LockRequest request) throws InterruptedException {
        return locks.enter(owner, request);
    }

    @Override
    public BlockingLocks in(BlockingLocks locks) {
        return new ForwardingLocks(locks) {
            @Override
            public Optional<BlockingLock> enter(Object owner, LockRequest request) throws InterruptedException {
                return ReentryMistake.this.enter(locks, owner, request);
            }
        };
    }
}
