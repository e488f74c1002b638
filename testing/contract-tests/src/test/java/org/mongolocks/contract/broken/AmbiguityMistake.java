package org.mongolocks.contract.broken;

import java.util.Optional;
import java.util.UUID;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.Owner;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.setup.ProxyRoute;
import org.mongolocks.protocol.ForwardingStrategy;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Step;

/** A client's mistake about ambiguous commands. */
enum AmbiguityMistake implements Mistake {
    /** Retries with another owner, so that the grant of the first command is not found. */
    RETRIES_WITH_ANOTHER_OWNER {
        @Override
        public LockStrategy in(LockStrategy strategy) {
            return new ForwardingStrategy(strategy) {
                @Override
                public Step<LockOutcome> acquire(AcquireContext c) {
                    Owner another = new Owner(c.owner().instance(), UUID.randomUUID());
                    return super.acquire(new AcquireContext(
                            c.name(), another, c.ttl(), c.startedNanos(), c.previous(), c.holderInfo()));
                }
            };
        }
    },
    /** Reports "not held" when the outcome is indeterminate. */
    REPORTS_INDETERMINATE_AS_NOT_HELD {
        @Override
        public BlockingLocks in(BlockingLocks locks) {
            return new ForwardingLocks(locks) {
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
    /** Sends writes without numbers, so that the server cannot refuse a late one. */
    SENDS_NO_TRANSACTION_NUMBERS {
        @Override
        public ProxyRoute detour(String uri, boolean retryWrites) {
            return ProxyRoute.to(uri, false);
        }
    },
    /** Takes an interrupted renewal for a loss. */
    REPORTS_AN_INTERRUPT_AS_A_LOSS {
        @Override
        public BlockingLocks in(BlockingLocks locks) {
            return new ForwardingLocks(locks) {
                @Override
                public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
                    return super.acquire(request).map(UninterruptedLock::new);
                }
            };
        }
    };

    private static final class UninterruptedLock extends LockWithAMistake {
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
