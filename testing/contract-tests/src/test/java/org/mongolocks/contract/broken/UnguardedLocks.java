package org.mongolocks.contract.broken;

import java.util.Optional;
import org.mongolocks.LockRequest;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;
import org.mongolocks.contract.setup.GuardedDocument.TransactionBody;

/** A client whose guarded transactions are not protected by the lock. */
final class UnguardedLocks extends ForwardingLocks {
    private final GuardMistake mistake;

    UnguardedLocks(BlockingLocks locks, GuardMistake mistake) {
        super(locks);
        this.mistake = mistake;
    }

    @Override
    public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
        return super.acquire(request).map(Held::new);
    }

    private final class Held extends LockWithAMistake {
        private final BlockingLock lock;

        Held(BlockingLock lock) {
            super(lock);
            this.lock = lock;
        }

        @Override
        public void inTransaction(TransactionBody body) throws Exception {
            mistake.inTransaction(lock, body);
        }
    }
}
