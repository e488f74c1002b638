package org.mongolocks.contract;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.Optional;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;

/** Is something that a client does wrong. */
enum ClientMistake implements Mistake {
    /** Does not wait. */
    ASKS_ONE_TIME {
        @Override
        Optional<BlockingLock> acquire(BlockingLocks locks, LockRequest request) throws InterruptedException {
            return locks.acquire(new LockRequest(request.name(), request.ttl(), Duration.ZERO));
        }
    },
    /** Takes an interrupt for contention. */
    SWALLOWS_INTERRUPTS {
        @Override
        Optional<BlockingLock> acquire(BlockingLocks locks, LockRequest request) {
            try {
                return locks.acquire(request);
            } catch (InterruptedException e) {
                return Optional.empty();
            }
        }
    },
    /** Takes a fault for contention. */
    SWALLOWS_FAULTS {
        @Override
        Optional<BlockingLock> acquire(BlockingLocks locks, LockRequest request) throws InterruptedException {
            try {
                return locks.acquire(request);
            } catch (LockException e) {
                return Optional.empty();
            }
        }
    },
    /** Gives up at the first fault. */
    DOES_NOT_ASK_AGAIN {
        @Override
        public void in(LockClientBuilder<?> builder) {
            builder.faultRetry(
                    Retry.of("once", RetryConfig.custom().maxAttempts(1).build()));
        }
    },
    /** Does not notice that time passes. */
    LOSES_TRACK_OF_TIME {
        @Override
        public void in(LockClientBuilder<?> builder) {
            long built = ServerFinder.embedded().time().nanoTime();
            builder.timeSource(() -> built);
        }
    },
    /** Takes the lock anew when it cannot be renewed. */
    TAKES_AGAIN {
        @Override
        BlockingLock held(BlockingLock lock, BlockingLocks locks) {
            return new WorseLock(lock) {
                @Override
                public boolean renew() throws InterruptedException {
                    return super.renew()
                            || locks.tryAcquire(lease().name(), lease().ttl()).isPresent();
                }
            };
        }
    },
    /** Frees the lock whenever it is released, whoever holds it by then. */
    RELEASES_AGAIN {
        @Override
        BlockingLock held(BlockingLock lock, BlockingLocks locks) {
            return new WorseLock(lock) {
                @Override
                public boolean release() {
                    return super.release() || forceFree(locks, lock);
                }
            };
        }
    },
    /** Takes every release for a success. */
    TRUSTS_RELEASES {
        @Override
        BlockingLock held(BlockingLock lock, BlockingLocks locks) {
            return new WorseLock(lock) {
                @Override
                public boolean release() {
                    super.release();
                    return true;
                }
            };
        }
    },
    /** Tells of the loss in each call that finds it. */
    TELLS_EACH_TIME {
        @Override
        BlockingLock held(BlockingLock lock, BlockingLocks locks) {
            return new WorseLock(lock) {
                @Override
                public boolean renew() throws InterruptedException {
                    boolean renewed = super.renew();
                    loss().ifPresent(this::tell);
                    return renewed;
                }
            };
        }
    },
    /** Takes a release for a loss. */
    TELLS_OF_A_RELEASE {
        @Override
        BlockingLock held(BlockingLock lock, BlockingLocks locks) {
            return new WorseLock(lock) {
                @Override
                public boolean release() {
                    tell(LossReason.EXPIRED);
                    return super.release();
                }
            };
        }
    },
    /** Takes silence for a loss. */
    GIVES_UP_IN_SILENCE {
        @Override
        BlockingLock held(BlockingLock lock, BlockingLocks locks) {
            return new WorseLock(lock) {
                @Override
                public boolean renew() throws InterruptedException {
                    try {
                        return super.renew();
                    } catch (LockException e) {
                        tell(LossReason.RENEWAL_FAILED);
                        return false;
                    }
                }
            };
        }
    };

    Optional<BlockingLock> acquire(BlockingLocks locks, LockRequest request) throws InterruptedException {
        return locks.acquire(request);
    }

    BlockingLock held(BlockingLock lock, BlockingLocks locks) {
        return lock;
    }

    @Override
    public BlockingLocks in(BlockingLocks locks) {
        return new WorseLocks(locks, this);
    }

    private static boolean forceFree(BlockingLocks locks, BlockingLock lock) {
        try {
            return locks.forceRelease(locks.inspect(lock.lease().name()).orElseThrow());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
