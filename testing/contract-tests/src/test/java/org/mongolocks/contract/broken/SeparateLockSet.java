package org.mongolocks.contract.broken;

import java.util.ArrayList;
import java.util.List;
import org.mongolocks.LockLostListener;
import org.mongolocks.LockName;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.blocking.BlockingLocks.BlockingLockSet;

/** Several locks that were acquired one by one by a client without support for sets; subclasses add mistakes. */
class SeparateLockSet implements BlockingLockSet {
    private final List<BlockingLock> locks;

    SeparateLockSet(List<BlockingLock> locks) {
        this.locks = new ArrayList<>(locks);
    }

    @Override
    public BlockingLock get(LockName name) {
        return locks.stream()
                .filter(lock -> lock.lease().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public List<BlockingLock> all() {
        return locks;
    }

    @Override
    public boolean isHeld() {
        return locks.stream().allMatch(BlockingLock::isHeld);
    }

    @Override
    public void onLost(LockLostListener listener) {
        locks.forEach(lock -> lock.onLost(listener));
    }

    @Override
    public boolean release() {
        return locks.stream().map(BlockingLock::release).toList().stream().allMatch(held -> held);
    }
}
