package org.mongolocks.sync;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.TimeSource;

/**
 * Is a lock in MongoDB behind the interface of {@code java.util.concurrent}, for code that has only that. It belongs to
 * the thread that has locked it, platform or virtual: the same thread can lock it again, which asks for nothing, and has
 * to unlock it as often. All that one {@link LockClient} gives for one name are the same lock to a thread; those of
 * different clients are not. {@link LockClient#asLock} gives it; it is thread-safe.
 *
 * <p>What that interface cannot say: the lock can be lost while it is held. {@link #unlock()} tells it, too late to stop
 * the work; {@link #isHeldByCurrentThread()} tells it meanwhile, and {@link #fencingToken()} makes writing safe. Ask for
 * {@linkplain LockRequest#keepAlive() keep-alive}, unless the work is always much shorter than the ttl.
 *
 * <p>A thread that ends without unlocking keeps the lock until its ttl has passed; with keep-alive, until the client is
 * closed.
 */
public final class DistributedLock implements Lock {
    private final ReentrantLocks locks;
    private final ThreadHandles handles;
    private final TimeSource time;
    private final LockRequest request;

    DistributedLock(ReentrantLocks locks, ThreadHandles handles, TimeSource time, LockRequest request) {
        this.locks = locks;
        this.handles = handles;
        this.time = time;
        this.request = request;
    }

    /** A thread that locks, and nothing that a user of {@link ReentrantLocks} could have for an owner. */
    private record OfThread(Thread thread) {}

    /**
     * Locks, and waits without end while another holds the lock. An interrupt does not end that, and is kept for later.
     *
     * @throws IndeterminateLockException if replies were lost and the attempt could not be taken back
     * @throws LockException if the server refused or gave no answer; nothing is held
     * @throws IllegalStateException if the client is closed, also while this waits
     */
    @Override
    public void lock() {
        boolean locked = false;
        while (!locked) {
            locked = lockUninterruptibly(LockRequest.MAX_WAIT);
        }
    }

    /**
     * Locks as {@link #lock()} does, unless the thread is interrupted.
     *
     * @throws InterruptedException if the thread was interrupted, before or meanwhile; nothing is held
     */
    @Override
    public void lockInterruptibly() throws InterruptedException {
        boolean locked = false;
        while (!locked) {
            locked = lock(LockRequest.MAX_WAIT, new Patience.Interruptible());
        }
    }

    /**
     * Asks once, whatever wait the request has. An interrupt does not end that, and is kept for later.
     *
     * @return false if another holds the lock
     * @throws LockException as {@link #lock()} does
     * @throws IllegalStateException if the client is closed
     */
    @Override
    public boolean tryLock() {
        return lockUninterruptibly(Duration.ZERO);
    }

    /**
     * Asks, and waits while another holds the lock, whatever wait the request has.
     *
     * @param wait how long to wait; zero or less asks once
     * @param unit the unit of that
     * @return false if another held the lock all the time
     * @throws InterruptedException if the thread was interrupted, before or meanwhile; nothing is held
     * @throws LockException as {@link #lock()} does
     * @throws IllegalStateException if the client is closed, also while this waits
     */
    @Override
    public boolean tryLock(long wait, TimeUnit unit) throws InterruptedException {
        long deadlineNanos = time.nanoTime() + Math.max(0, unit.toNanos(wait));
        boolean locked;
        do {
            locked = lock(leftUntil(deadlineNanos), new Patience.Interruptible());
        } while (!locked && deadlineNanos - time.nanoTime() > 0);
        return locked;
    }

    /**
     * Unlocks once; the last time gives the lock back. A lock that was lost has to be unlocked too, and that tells the
     * loss. If the lock cannot be given back after all was done in time that is not thrown but logged, as
     * {@link LockClient#withLock} does; it stays until its ttl has passed.
     *
     * @throws IllegalMonitorStateException if this thread has not locked it, or has unlocked it as often
     * @throws LockLostException if the lock was lost before: another may have been in the guarded section at the same
     *     time. It is unlocked nevertheless.
     */
    @Override
    public void unlock() {
        HeldLock newest = newest();
        handles.pop(name());
        newest.endOfWork().finish();
    }

    /**
     * Is not supported: nobody can be woken in another process.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("A lock in MongoDB has no conditions");
    }

    /**
     * Gives the number of the newest grant to this thread: larger than that of every earlier grant, and the same however
     * often the thread has locked. No round trip.
     *
     * @return the token, also after a loss: writing with it is refused then
     * @throws IllegalMonitorStateException if this thread has not locked it, or has unlocked it as often
     */
    public long fencingToken() {
        return newest().fencingToken();
    }

    /**
     * Tells whether this thread holds the lock, as {@link HeldLock#isHeld()} does. No round trip.
     *
     * @return false also once the lock was lost
     */
    public boolean isHeldByCurrentThread() {
        return getHoldCount() > 0;
    }

    /**
     * Counts how often this thread has locked the lock that it holds, and not unlocked it. No round trip.
     *
     * @return how often; zero also once the lock was lost
     */
    public int getHoldCount() {
        return locks.holdCount(owner(), name());
    }

    /** Describes the lock for people. */
    @Override
    public String toString() {
        return "Lock '" + name() + "' of threads";
    }

    private boolean lockUninterruptibly(Duration wait) {
        try {
            return lock(wait, new Patience.Uninterruptible());
        } catch (InterruptedException e) {
            throw new IllegalStateException("An uninterruptible program was interrupted", e);
        }
    }

    private boolean lock(Duration wait, Patience patience) throws InterruptedException {
        Optional<HeldLock> handle = locks.acquire(owner(), request.waitAtMost(wait), patience);
        handle.ifPresent(handles::push);
        return handle.isPresent();
    }

    private Duration leftUntil(long deadlineNanos) {
        Duration left = Duration.ofNanos(Math.max(0, deadlineNanos - time.nanoTime()));
        return left.compareTo(LockRequest.MAX_WAIT) < 0 ? left : LockRequest.MAX_WAIT;
    }

    private HeldLock newest() {
        return handles.newest(name())
                .orElseThrow(() -> new IllegalMonitorStateException("Lock '" + name() + "' was not locked by thread '"
                        + Thread.currentThread().getName() + "'"));
    }

    private LockName name() {
        return request.name();
    }

    private static OfThread owner() {
        return new OfThread(Thread.currentThread());
    }
}
