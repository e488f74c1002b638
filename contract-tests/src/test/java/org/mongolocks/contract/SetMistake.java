package org.mongolocks.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockSetRequest;
import org.mongolocks.LossListener;
import org.mongolocks.spi.LockStrategy;

/** Is a mistake in how a client acquires and holds several locks. */
enum SetMistake implements Mistake {
    /** Keeps what it has when it does not get the next. */
    KEEPS_WHAT_IT_GOT {
        @Override
        Optional<BlockingLockSet> acquireAll(BlockingLocks locks, LockSetRequest request) throws InterruptedException {
            return oneByOne(locks, request.names(), request);
        }
    },
    /** Asks for the first as if it were all. */
    FORGETS_THE_REST {
        @Override
        Optional<BlockingLockSet> acquireAll(BlockingLocks locks, LockSetRequest request) throws InterruptedException {
            return oneByOne(locks, request.names().subList(0, 1), request);
        }
    },
    /** Asks for the locks in an order of its own. */
    ASKS_IN_ANY_ORDER {
        @Override
        Optional<BlockingLockSet> acquireAll(BlockingLocks locks, LockSetRequest request) throws InterruptedException {
            List<LockName> names = new ArrayList<>(request.names());
            if (ASKED.getAndIncrement() % 2 == 0) {
                Collections.reverse(names);
            }
            return oneByOne(locks, names, request);
        }
    },
    DOES_NOT_WAIT {
        @Override
        Optional<BlockingLockSet> acquireAll(BlockingLocks locks, LockSetRequest request) throws InterruptedException {
            return locks.acquireAll(request.waitAtMost(Duration.ZERO));
        }
    },
    /** Takes an interrupt and a fault for contention. */
    SWALLOWS_EVERYTHING {
        @Override
        Optional<BlockingLockSet> acquireAll(BlockingLocks locks, LockSetRequest request) {
            try {
                return locks.acquireAll(request);
            } catch (InterruptedException | LockException e) {
                return Optional.empty();
            }
        }
    },
    /** Gives back no more than the first. */
    RELEASES_ONE {
        @Override
        BlockingLockSet held(BlockingLockSet set) {
            return new WorseLockSet(set.all()) {
                @Override
                public boolean release() {
                    return all().get(0).release();
                }
            };
        }
    },
    /** Stops to give back at the first that was lost. */
    STOPS_AT_A_LOSS {
        @Override
        BlockingLockSet held(BlockingLockSet set) {
            return new WorseLockSet(set.all()) {
                @Override
                public boolean release() {
                    return all().stream().allMatch(BlockingLock::release);
                }
            };
        }
    },
    MIXES_THE_LOCKS_UP {
        @Override
        BlockingLockSet held(BlockingLockSet set) {
            return new WorseLockSet(set.all()) {
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
            return new WorseLockSet(set.all()) {
                @Override
                public void onLost(LossListener listener) {
                    // Tells nobody.
                }
            };
        }
    },
    /** Claims to take all in one step, and takes one after another. */
    CLAIMS_ONE_STEP {
        @Override
        public LockStrategy in(LockStrategy strategy) {
            return new OneAfterAnother(strategy);
        }
    };

    private static final AtomicInteger ASKED = new AtomicInteger();

    Optional<BlockingLockSet> acquireAll(BlockingLocks locks, LockSetRequest request) throws InterruptedException {
        return locks.acquireAll(request);
    }

    BlockingLockSet held(BlockingLockSet set) {
        return set;
    }

    @Override
    public BlockingLocks in(BlockingLocks locks) {
        return new LocksInDisguise(locks) {
            @Override
            public Optional<BlockingLockSet> acquireAll(LockSetRequest request) throws InterruptedException {
                return SetMistake.this.acquireAll(locks, request).map(SetMistake.this::held);
            }
        };
    }

    /** Takes its time between two locks, so that what can go wrong does. */
    private static Optional<BlockingLockSet> oneByOne(BlockingLocks locks, List<LockName> names, LockSetRequest request)
            throws InterruptedException {
        List<BlockingLock> held = new ArrayList<>();
        for (LockName name : names) {
            Optional<BlockingLock> lock = locks.acquire(request.forOne(name));
            if (lock.isEmpty()) {
                return Optional.empty();
            }
            held.add(lock.get());
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        return Optional.of(new WorseLockSet(held));
    }
}
