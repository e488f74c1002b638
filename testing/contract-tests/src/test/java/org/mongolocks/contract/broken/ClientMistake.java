package org.mongolocks.contract.broken;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.Optional;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.setup.ServerFinder;

/** A mistake of a client. */
enum ClientMistake implements Mistake {
    TRIES_ONCE {
        @Override
        Optional<BlockingLock> acquire(BlockingLocks locks, LockRequest request) throws InterruptedException {
            return locks.acquire(new LockRequest(request.name(), request.ttl(), Duration.ZERO));
        }
    },
    /** Reports an interrupt as contention. */
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
    /** Reports a fault as contention. */
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
    /** Does not retry after a fault. */
    DOES_NOT_RETRY {
        @Override
        public void in(LockClientBuilder<?> builder) {
            builder.faultRetry(
                    Retry.of("once", RetryConfig.custom().maxAttempts(1).build()));
        }
    },
    /** Does not notice that time passes. */
    IGNORES_TIME {
        @Override
        public void in(LockClientBuilder<?> builder) {
            long built = ServerFinder.embedded().time().nanoTime();
            builder.timeSource(() -> built);
        }
    },
    /** Acquires the lock again if it cannot be renewed. */
    ACQUIRES_INSTEAD_OF_RENEWING {
        @Override
        BlockingLock held(BlockingLock lock, BlockingLocks locks) {
            return new LockWithAMistake(lock) {
                @Override
                public boolean renew() throws InterruptedException {
                    return super.renew()
                            || locks.tryAcquire(lease().name(), lease().ttl()).isPresent();
                }
            };
        }
    },
    /** Force-releases the lock if its release fails, even if another client holds it. */
    FORCES_FAILED_RELEASES {
        @Override
        BlockingLock held(BlockingLock lock, BlockingLocks locks) {
            return new LockWithAMistake(lock) {
                @Override
                public boolean release() {
                    return super.release() || forceFree(locks, lock);
                }
            };
        }
    },
    /** Reports every release as successful. */
    ASSUMES_THAT_RELEASES_SUCCEED {
        @Override
        BlockingLock held(BlockingLock lock, BlockingLocks locks) {
            return new LockWithAMistake(lock) {
                @Override
                public boolean release() {
                    super.release();
                    return true;
                }
            };
        }
    },
    /** Notifies of the loss in each call that detects it. */
    NOTIFIES_EACH_TIME {
        @Override
        BlockingLock held(BlockingLock lock, BlockingLocks locks) {
            return new LockWithAMistake(lock) {
                @Override
                public boolean renew() throws InterruptedException {
                    boolean renewed = super.renew();
                    loss().ifPresent(this::tell);
                    return renewed;
                }
            };
        }
    },
    /** Reports a release as a loss. */
    REPORTS_A_RELEASE_AS_A_LOSS {
        @Override
        BlockingLock held(BlockingLock lock, BlockingLocks locks) {
            return new LockWithAMistake(lock) {
                @Override
                public boolean release() {
                    tell(LossReason.EXPIRED);
                    return super.release();
                }
            };
        }
    },
    /** Reports a missing reply as a loss. */
    REPORTS_A_MISSING_REPLY_AS_A_LOSS {
        @Override
        BlockingLock held(BlockingLock lock, BlockingLocks locks) {
            return new LockWithAMistake(lock) {
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
        return new ForwardingLocks(locks) {
            @Override
            public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
                return ClientMistake.this.acquire(locks, request).map(lock -> held(lock, locks));
            }
        };
    }

    private static boolean forceFree(BlockingLocks locks, BlockingLock lock) {
        try {
            return locks.forceRelease(locks.inspect(lock.lease().name()).orElseThrow());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
