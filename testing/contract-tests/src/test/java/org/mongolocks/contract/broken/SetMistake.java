package org.mongolocks.contract.broken;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.mongolocks.LockException;
import org.mongolocks.LockLostListener;
import org.mongolocks.LockName;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.blocking.BlockingLocks.BlockingLockSet;
import org.mongolocks.spi.LockStrategy;

/** A mistake in how a client acquires and holds several locks. */
enum SetMistake implements Mistake {
    /** Keeps the locks it got if the next is contended. */
    KEEPS_THE_LOCKS_BEFORE_A_CONTENDED_ONE {
        @Override
        Optional<BlockingLockSet> acquireAll(BlockingLocks locks, MultiLockRequest request)
                throws InterruptedException {
            return oneByOne(locks, request.names(), request);
        }
    },
    /** Acquires the first lock only. */
    ACQUIRES_ONLY_THE_FIRST {
        @Override
        Optional<BlockingLockSet> acquireAll(BlockingLocks locks, MultiLockRequest request)
                throws InterruptedException {
            return oneByOne(locks, request.names().subList(0, 1), request);
        }
    },
    /** Acquires the locks in no common order. */
    ACQUIRES_IN_ANY_ORDER {
        @Override
        Optional<BlockingLockSet> acquireAll(BlockingLocks locks, MultiLockRequest request)
                throws InterruptedException {
            List<LockName> names = new ArrayList<>(request.names());
            if (ASKED.getAndIncrement() % 2 == 0) {
                Collections.reverse(names);
            }
            return oneByOne(locks, names, request);
        }
    },
    DOES_NOT_WAIT {
        @Override
        Optional<BlockingLockSet> acquireAll(BlockingLocks locks, MultiLockRequest request)
                throws InterruptedException {
            return locks.acquireAll(request.waitAtMost(Duration.ZERO));
        }
    },
    /** Reports an interrupt and a fault as contention. */
    SWALLOWS_EVERYTHING {
        @Override
        Optional<BlockingLockSet> acquireAll(BlockingLocks locks, MultiLockRequest request) {
            try {
                return locks.acquireAll(request);
            } catch (InterruptedException | LockException e) {
                return Optional.empty();
            }
        }
    },
    /** Releases the first lock only. */
    RELEASES_ONE {
        @Override
        BlockingLockSet held(BlockingLockSet set) {
            return new SeparateLockSet(set.all()) {
                @Override
                public boolean release() {
                    return all().get(0).release();
                }
            };
        }
    },
    /** Stops releasing at the first lock that was lost. */
    STOPS_AT_A_LOSS {
        @Override
        BlockingLockSet held(BlockingLockSet set) {
            return new SeparateLockSet(set.all()) {
                @Override
                public boolean release() {
                    return all().stream().allMatch(BlockingLock::release);
                }
            };
        }
    },
    RETURNS_ANOTHER_LOCK {
        @Override
        BlockingLockSet held(BlockingLockSet set) {
            return new SeparateLockSet(set.all()) {
                @Override
                public BlockingLock get(LockName name) {
                    return all().get(0);
                }
            };
        }
    },
    HIDES_LOSSES {
        @Override
        BlockingLockSet held(BlockingLockSet set) {
            return new SeparateLockSet(set.all()) {
                @Override
                public void onLost(LockLostListener listener) {
                    // Notifies no listener.
                }
            };
        }
    },
    /** Claims to grant all in one step, and acquires one after another. */
    CLAIMS_ONE_STEP {
        @Override
        public LockStrategy in(LockStrategy strategy) {
            return new OneAfterAnother(strategy);
        }
    };

    private static final AtomicInteger ASKED = new AtomicInteger();

    Optional<BlockingLockSet> acquireAll(BlockingLocks locks, MultiLockRequest request) throws InterruptedException {
        return locks.acquireAll(request);
    }

    BlockingLockSet held(BlockingLockSet set) {
        return set;
    }

    @Override
    public BlockingLocks in(BlockingLocks locks) {
        return new ForwardingLocks(locks) {
            @Override
            public Optional<BlockingLockSet> acquireAll(MultiLockRequest request) throws InterruptedException {
                return SetMistake.this.acquireAll(locks, request).map(SetMistake.this::held);
            }
        };
    }

    /** Pauses between two locks, so that deadlocks show. */
    private static Optional<BlockingLockSet> oneByOne(
            BlockingLocks locks, List<LockName> names, MultiLockRequest request) throws InterruptedException {
        List<BlockingLock> held = new ArrayList<>();
        for (LockName name : names) {
            Optional<BlockingLock> lock = locks.acquire(request.forOne(name));
            if (lock.isEmpty()) {
                return Optional.empty();
            }
            held.add(lock.get());
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        return Optional.of(new SeparateLockSet(held));
    }
}
