package org.mongolocks.contract.broken;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.mongolocks.ExpiryWarningListener;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockLostListener;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.spi.LockStrategy;

/** A mistake in how a client holds its locks. */
enum HoldingMistake implements Mistake {
    /** Keep-alive stops at the first fault. */
    STOPS_AT_THE_FIRST_FAULT {
        @Override
        public LockStrategy in(LockStrategy strategy) {
            return new OneFaultStrategy(strategy);
        }
    },
    KEEPS_NOTHING_ALIVE {
        @Override
        LockRequest asked(LockRequest request) {
            return new LockRequest(request.name(), request.ttl(), request.waitAtMost());
        }
    },
    HOLDS_NO_MINIMUM {
        @Override
        LockRequest asked(LockRequest request) {
            return request.holdAtLeast(Duration.ZERO);
        }
    },
    HIDES_LOSSES {
        @Override
        LockLostListener wrap(LockLostListener listener) {
            return (lease, reason) -> {};
        }
    },
    REPORTS_TWICE {
        @Override
        LockLostListener wrap(LockLostListener listener) {
            return (lease, reason) -> {
                listener.onLost(lease, reason);
                listener.onLost(lease, reason);
            };
        }
    },
    GIVES_NO_REASON {
        @Override
        LockLostListener wrap(LockLostListener listener) {
            return (lease, reason) -> listener.onLost(lease, LossReason.EXPIRED);
        }
    },
    DOES_NOT_WARN {
        @Override
        ExpiryWarningListener warned(ExpiryWarningListener listener) {
            return (lease, remaining) -> {};
        }
    },
    WARNS_ONCE {
        @Override
        ExpiryWarningListener warned(ExpiryWarningListener listener) {
            AtomicInteger warnings = new AtomicInteger();
            return (lease, remaining) -> {
                if (warnings.getAndIncrement() == 0) {
                    listener.onEndangered(lease, remaining);
                }
            };
        }
    },
    /** A listener that blocks delays those of all locks. */
    CALLS_ONE_LISTENER_AT_A_TIME {
        @Override
        LockLostListener wrap(LockLostListener listener) {
            return (lease, reason) -> {
                synchronized (this) {
                    listener.onLost(lease, reason);
                }
            };
        }
    },
    HAS_NO_SKEW_MARGIN {
        @Override
        public void in(LockClientBuilder<?> builder) {
            builder.skewMargin(Duration.ZERO);
        }
    },
    HAS_NO_TIMER {
        @Override
        public void in(LockClientBuilder<?> builder) {
            builder.timer((delay, task) -> () -> {});
        }
    },
    DOES_NOT_CLOSE {
        @Override
        void close(BlockingLocks locks) {
            // Neither releases its locks nor ends its threads.
        }
    },
    CLOSES_LATE {
        @Override
        void close(BlockingLocks locks) {
            LockSupport.parkNanos(FaultyLocks.CLOSE_TIMEOUT.multipliedBy(3).toNanos());
            locks.close();
        }
    };

    LockRequest asked(LockRequest request) {
        return request;
    }

    LockLostListener wrap(LockLostListener listener) {
        return listener;
    }

    ExpiryWarningListener warned(ExpiryWarningListener listener) {
        return listener;
    }

    @Override
    public BlockingLocks in(BlockingLocks locks) {
        return new ForwardingLocks(locks) {
            private final AtomicBoolean isClosed = new AtomicBoolean();

            @Override
            public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
                return super.acquire(asked(request)).map(HoldingMistake.this::held);
            }

            /** Makes the mistake once: the rule closes the client, and the clean-up after the rule does so again. */
            @Override
            public void close() {
                if (isClosed.compareAndSet(false, true)) {
                    HoldingMistake.this.close(locks);
                } else {
                    locks.close();
                }
            }
        };
    }

    private BlockingLock held(BlockingLock lock) {
        return new LockWithAMistake(lock) {
            @Override
            public void onLost(LockLostListener listener) {
                super.onLost(wrap(listener));
            }

            @Override
            public void onEndangered(Duration remaining, ExpiryWarningListener listener) {
                super.onEndangered(remaining, warned(listener));
            }
        };
    }

    void close(BlockingLocks locks) {
        locks.close();
    }
}
