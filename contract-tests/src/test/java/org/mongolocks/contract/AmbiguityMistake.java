package org.mongolocks.contract;

import java.util.Optional;
import java.util.UUID;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.LockException;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockRequest;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Step;

/** Is a mistake about what may or may not have been done. */
enum AmbiguityMistake implements Mistake {
    /** Asks again as somebody else: what the first question was granted, nobody finds. */
    ASKS_AGAIN_AS_ANOTHER {
        @Override
        public LockStrategy in(LockStrategy strategy) {
            return new StrategyInDisguise(strategy) {
                @Override
                public Step<LockOutcome> acquire(AcquireContext c) {
                    Owner another = new Owner(c.owner().instance(), UUID.randomUUID());
                    return super.acquire(
                            new AcquireContext(c.name(), another, c.ttl(), c.startedNanos(), c.previous(), c.holder()));
                }
            };
        }
    },
    /** Says that nothing is held when nobody knows. */
    CALLS_THE_UNKNOWN_KNOWN {
        @Override
        public BlockingLocks in(BlockingLocks locks) {
            return new LocksInDisguise(locks) {
                @Override
                public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
                    try {
                        return super.acquire(request);
                    } catch (IndeterminateLockException e) {
                        throw new LockException("Nothing is held of " + request.name(), e);
                    }
                }
            };
        }
    },
    /** Cannot know what comes late: its writes have no numbers. */
    NUMBERS_NO_WRITES {
        @Override
        public Detour detour(String uri, boolean retryWrites) {
            return Detour.to(uri, false);
        }
    },
    /** Takes an interrupted renewal for a loss. */
    TAKES_AN_INTERRUPT_FOR_A_LOSS {
        @Override
        public BlockingLocks in(BlockingLocks locks) {
            return new LocksInDisguise(locks) {
                @Override
                public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
                    return super.acquire(request).map(UninterruptedLock::new);
                }
            };
        }
    };

    private static final class UninterruptedLock extends WorseLock {
        UninterruptedLock(BlockingLock lock) {
            super(lock);
        }

        @Override
        public boolean renew() {
            try {
                return super.renew();
            } catch (InterruptedException e) {
                return false;
            }
        }
    }
}
