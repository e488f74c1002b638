package org.mongolocks.contract.broken;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.mongolocks.Lease;
import org.mongolocks.LockEndangeredListener;
import org.mongolocks.LockLostListener;
import org.mongolocks.LossReason;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.blocking.BlockingLocks.TransactionWork;

/** A held lock with a mistake, around a correct one. */
abstract class LockWithAMistake implements BlockingLock {
    private final BlockingLock lock;
    private final List<LockLostListener> listeners = new CopyOnWriteArrayList<>();

    LockWithAMistake(BlockingLock lock) {
        this.lock = lock;
    }

    /** Notifies the listeners, even if they were notified before. */
    final void tell(LossReason reason) {
        listeners.forEach(listener -> listener.onLost(lease(), reason));
    }

    @Override
    public Lease lease() {
        return lock.lease();
    }

    @Override
    public boolean isHeld() {
        return lock.isHeld();
    }

    @Override
    public Duration remaining() {
        return lock.remaining();
    }

    @Override
    public Optional<LossReason> loss() {
        return lock.loss();
    }

    @Override
    public void onLost(LockLostListener listener) {
        listeners.add(listener);
        lock.onLost(listener);
    }

    @Override
    public void onEndangered(Duration remaining, LockEndangeredListener listener) {
        lock.onEndangered(remaining, listener);
    }

    @Override
    public boolean renew() throws InterruptedException {
        return lock.renew();
    }

    @Override
    public boolean renew(Duration ttl) throws InterruptedException {
        return lock.renew(ttl);
    }

    @Override
    public boolean release() {
        return lock.release();
    }

    @Override
    public void inTransaction(TransactionWork work) throws Exception {
        lock.inTransaction(work);
    }
}
