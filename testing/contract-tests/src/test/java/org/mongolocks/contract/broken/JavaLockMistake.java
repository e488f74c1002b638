package org.mongolocks.contract.broken;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockRequest;
import org.mongolocks.blocking.BlockingLocks;

/** A mistake in how a client implements {@code java.util.concurrent.locks.Lock}. */
enum JavaLockMistake implements Mistake {
    /** Does not count nested calls of lock(). */
    DOES_NOT_COUNT {
        @Override
        Lock worse(Lock lock) {
            return new Worse(lock) {
                @Override
                public boolean tryLock() {
                    boolean locked = super.tryLock();
                    if (locked) {
                        super.unlock();
                    }
                    return locked;
                }
            };
        }
    },
    /** Lets any thread in while one of them holds the lock. */
    TREATS_ALL_THREADS_AS_ONE {
        @Override
        Lock worse(Lock lock) {
            AtomicInteger pending = new AtomicInteger();
            return new Worse(lock) {
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
    },
    CLEARS_INTERRUPTS {
        @Override
        Lock worse(Lock lock) {
            return new Worse(lock) {
                @Override
                public void lock() {
                    super.lock();
                    Thread.interrupted();
                }
            };
        }
    },
    IGNORES_INTERRUPTS {
        @Override
        Lock worse(Lock lock) {
            return new Worse(lock) {
                @Override
                public void lockInterruptibly() {
                    super.lock();
                }
            };
        }
    },
    DOES_NOT_WAIT {
        @Override
        Lock worse(Lock lock) {
            return new Worse(lock) {
                @Override
                public boolean tryLock(long time, TimeUnit unit) {
                    return super.tryLock();
                }
            };
        }
    },
    HIDES_LOSSES {
        @Override
        Lock worse(Lock lock) {
            return new Worse(lock) {
                @Override
                public void unlock() {
                    try {
                        super.unlock();
                    } catch (LockLostException e) {
                        return;
                    }
                }
            };
        }
    },
    SWALLOWS_FAULTS {
        @Override
        Lock worse(Lock lock) {
            return new Worse(lock) {
                @Override
                public boolean tryLock() {
                    try {
                        return super.tryLock();
                    } catch (LockException e) {
                        return false;
                    }
                }
            };
        }
    };

    abstract Lock worse(Lock lock);

    @Override
    public BlockingLocks in(BlockingLocks locks) {
        return new ForwardingLocks(locks) {
            @Override
            public Optional<Lock> asLock(LockRequest request) {
                return super.asLock(request).map(JavaLockMistake.this::worse);
            }
        };
    }

    /** A lock that delegates to a correct one; subclasses change a part. */
    private static class Worse implements Lock {
        private final Lock lock;

        Worse(Lock lock) {
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
