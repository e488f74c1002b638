package org.mongolocks.contract.broken;

import static org.mongolocks.contract.broken.Mistake.locks;
import static org.mongolocks.contract.broken.Mistake.strategy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockLostListener;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.blocking.BlockingLocks.BlockingLockSet;
import org.mongolocks.contract.broken.Mistake.Row;

/** Mistakes in how a client acquires and holds several locks, and implements {@code java.util.concurrent.locks.Lock}. */
final class SeveralLocksMistakes {
    private static final AtomicInteger ASKED = new AtomicInteger();

    static final List<Row> TABLE = List.of(
            Row.of(
                    "keeps the locks it got if the next is contended",
                    acquiringAll((locks, request) -> oneByOne(locks, request.names(), request)),
                    "setWithAContendedLockHoldsNothing",
                    "setThatTimesOutHoldsNothing",
                    "allLeasesOfASetAreFreshHoweverLongItWasWaitedFor",
                    "interruptedWaiterForASetHoldsNothing",
                    "faultWithinASetReleasesItsLocks"),
            Row.of(
                    "acquires only the first lock",
                    acquiringAll(
                            (locks, request) -> oneByOne(locks, request.names().subList(0, 1), request)),
                    "allLocksOfASetAreHeldEachWithItsToken",
                    "setsThatOverlapNeitherBlockNorMix"),
            Row.of(
                    "acquires the locks in no common order",
                    acquiringAll((locks, request) -> {
                        List<LockName> names = new ArrayList<>(request.names());
                        if (ASKED.getAndIncrement() % 2 == 0) {
                            Collections.reverse(names);
                        }
                        return oneByOne(locks, names, request);
                    }),
                    "setsThatOverlapNeitherBlockNorMix"),
            Row.of(
                    "does not wait for a set",
                    acquiringAll((locks, request) -> locks.tryAcquireAll(request.waitAtMost(Duration.ZERO))),
                    "setThatTimesOutHoldsNothing",
                    "allLeasesOfASetAreFreshHoweverLongItWasWaitedFor"),
            Row.of(
                    "reports an interrupt and a fault of a set as contention",
                    acquiringAll((locks, request) -> {
                        try {
                            return locks.tryAcquireAll(request);
                        } catch (InterruptedException | LockException e) {
                            return Optional.empty();
                        }
                    }),
                    "interruptedWaiterForASetHoldsNothing",
                    "faultWithinASetReleasesItsLocks"),
            Row.of(
                    "releases only the first lock",
                    holdingAll(set -> new SeparateLockSet(set.all()) {
                        @Override
                        public boolean release() {
                            return all().get(0).release();
                        }
                    }),
                    "allLocksOfASetAreHeldEachWithItsToken",
                    "lossOfOneLockOfASetIsReported"),
            Row.of(
                    "stops releasing at the first lock that was lost",
                    holdingAll(set -> new SeparateLockSet(set.all()) {
                        @Override
                        public boolean release() {
                            return all().stream().allMatch(BlockingLock::release);
                        }
                    }),
                    "lossOfOneLockOfASetIsReported"),
            Row.of(
                    "returns another lock",
                    holdingAll(set -> new SeparateLockSet(set.all()) {
                        @Override
                        public BlockingLock get(LockName name) {
                            return all().get(0);
                        }
                    }),
                    "allLocksOfASetAreHeldEachWithItsToken"),
            Row.of(
                    "notifies of no loss in a set",
                    holdingAll(set -> new SeparateLockSet(set.all()) {
                        @Override
                        public void onLost(LockLostListener listener) {
                            // Notifies no listener.
                        }
                    }),
                    "lossOfOneLockOfASetIsReported"),
            Row.of(
                    "claims to grant all in one step, and acquires one after another",
                    strategy(OneAfterAnother::new),
                    "setWithAContendedLockHoldsNothing",
                    "setGrantedInOneStepHoldsNothingWhileItWaits"));

    /** The mistakes of the client that has locks which belong to a thread. */
    static final List<Row> OF_THREADS = List.of(
            Row.of(
                    "does not count nested calls of lock()",
                    asLock(lock -> new ForwardingLock(lock) {
                        @Override
                        public boolean tryLock() {
                            boolean locked = super.tryLock();
                            if (locked) {
                                super.unlock();
                            }
                            return locked;
                        }
                    }),
                    "aThreadLocksAgainAndUnlocksAsOften"),
            Row.of(
                    "lets any thread in while one of them holds the lock",
                    asLock(SeveralLocksMistakes::ofAllThreads),
                    "anotherThreadIsKeptOut"),
            Row.of(
                    "clears interrupts",
                    asLock(lock -> new ForwardingLock(lock) {
                        @Override
                        public void lock() {
                            super.lock();
                            Thread.interrupted();
                        }
                    }),
                    "lockingKeepsAnInterruptForLater"),
            Row.of(
                    "ignores interrupts",
                    asLock(lock -> new ForwardingLock(lock) {
                        @Override
                        public void lockInterruptibly() {
                            super.lock();
                        }
                    }),
                    "lockingInterruptiblyAnswersAnInterrupt"),
            Row.of(
                    "does not wait",
                    asLock(lock -> new ForwardingLock(lock) {
                        @Override
                        public boolean tryLock(long time, TimeUnit unit) {
                            return super.tryLock();
                        }
                    }),
                    "lockingWithinATimeEndsWithIt"),
            Row.of(
                    "hides losses",
                    asLock(lock -> new ForwardingLock(lock) {
                        @Override
                        public void unlock() {
                            try {
                                super.unlock();
                            } catch (LockLostException e) {
                                return;
                            }
                        }
                    }),
                    "unlockingALostLockThrows"),
            Row.of(
                    "swallows faults",
                    asLock(lock -> new ForwardingLock(lock) {
                        @Override
                        public boolean tryLock() {
                            try {
                                return super.tryLock();
                            } catch (LockException e) {
                                return false;
                            }
                        }
                    }),
                    "serverErrorIsThrownByLock"));

    private SeveralLocksMistakes() {}

    private static Mistake acquiringAll(AcquiringAll wrong) {
        return locks(locks -> new ForwardingLocks(locks) {
            @Override
            public Optional<BlockingLockSet> tryAcquireAll(MultiLockRequest request) throws InterruptedException {
                return wrong.acquireAll(locks, request);
            }
        });
    }

    private static Mistake holdingAll(UnaryOperator<BlockingLockSet> wrong) {
        return acquiringAll((locks, request) -> locks.tryAcquireAll(request).map(wrong));
    }

    /** Pauses between two locks, so that deadlocks show. */
    private static Optional<BlockingLockSet> oneByOne(
            BlockingLocks locks, List<LockName> names, MultiLockRequest request) throws InterruptedException {
        List<BlockingLock> held = new ArrayList<>();
        for (LockName name : names) {
            Optional<BlockingLock> lock = locks.tryAcquire(request.forOne(name));
            if (lock.isEmpty()) {
                return Optional.empty();
            }
            held.add(lock.get());
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        return Optional.of(new SeparateLockSet(held));
    }

    private static Mistake asLock(UnaryOperator<Lock> wrong) {
        return locks(locks -> new ForwardingLocks(locks) {
            @Override
            public Optional<Lock> asLock(LockRequest request) {
                return super.asLock(request).map(wrong);
            }
        });
    }

    private static Lock ofAllThreads(Lock lock) {
        AtomicInteger pending = new AtomicInteger();
        return new ForwardingLock(lock) {
            @Override
            public void lock() {
                if (pending.getAndIncrement() == 0) {
                    super.lock();
                }
            }

            @Override
            public boolean tryLock() {
                return pending.get() > 0 || super.tryLock();
            }
        };
    }

    @FunctionalInterface
    private interface AcquiringAll {
        Optional<BlockingLockSet> acquireAll(BlockingLocks locks, MultiLockRequest request) throws InterruptedException;
    }

    /** A lock that delegates to a correct one; subclasses change a part. */
    private static class ForwardingLock implements Lock {
        private final Lock lock;

        ForwardingLock(Lock lock) {
            this.lock = lock;
        }

        @Override
        public void lock() {
            lock.lock();
        }

        @Override
        public void lockInterruptibly() throws InterruptedException {
            lock.lockInterruptibly();
        }

        @Override
        public boolean tryLock() {
            return lock.tryLock();
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
            return lock.tryLock(time, unit);
        }

        @Override
        public void unlock() {
            lock.unlock();
        }

        @Override
        public Condition newCondition() {
            return lock.newCondition();
        }
    }
}
