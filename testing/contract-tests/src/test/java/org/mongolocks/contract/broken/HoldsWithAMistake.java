package org.mongolocks.contract.broken;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.ExpiryWarningListener;
import org.mongolocks.LockLostListener;
import org.mongolocks.LockRequest;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;

/** A client with a mistake in how it holds its locks, around a correct one. */
final class HoldsWithAMistake extends ForwardingLocks {
    private final BlockingLocks locks;
    private final HoldingMistake broken;

    HoldsWithAMistake(BlockingLocks locks, HoldingMistake broken) {
        super(locks);
        this.locks = locks;
        this.broken = broken;
    }

    @Override
    public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
        return super.acquire(broken.asked(request)).map(lock -> new Held(lock, broken));
    }

    @Override
    public void close() {
        broken.close(locks);
    }

    private static final class Held extends LockWithAMistake {
        private final HoldingMistake broken;

        Held(BlockingLock lock, HoldingMistake broken) {
            super(lock);
            this.broken = broken;
        }

        @Override
        public void onLost(LockLostListener listener) {
            super.onLost(broken.wrap(listener));
        }

        @Override
        public void onEndangered(Duration remaining, ExpiryWarningListener listener) {
            super.onEndangered(remaining, broken.warned(listener));
        }
    }
}
