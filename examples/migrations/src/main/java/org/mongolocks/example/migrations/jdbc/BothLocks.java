package org.mongolocks.example.migrations.jdbc;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** Two locks as one. The first is always the one that the old release has. */
record BothLocks(Lock first, Lock second) implements Lock {
    private interface Attempt<E extends Exception> {
        boolean locked() throws E;
    }

    @Override
    public void lock() {
        first.lock();
        afterFirst(() -> {
            second.lock();
            return true;
        });
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        first.lockInterruptibly();
        afterFirst(() -> {
            second.lockInterruptibly();
            return true;
        });
    }

    @Override
    public boolean tryLock() {
        return first.tryLock() && afterFirst(second::tryLock);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        long deadline = System.nanoTime() + unit.toNanos(time);
        return first.tryLock(time, unit)
                && afterFirst(() -> second.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
    }

    @Override
    public void unlock() {
        try {
            second.unlock();
        } finally {
            first.unlock();
        }
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException();
    }

    private <E extends Exception> boolean afterFirst(Attempt<E> attempt) throws E {
        boolean locked = false;
        try {
            locked = attempt.locked();
            return locked;
        } finally {
            if (!locked) {
                first.unlock();
            }
        }
    }
}
