package org.mongolocks.sync;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.mongolocks.ClientClosedException;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.internal.hold.HoldRegistry;
import org.mongolocks.sync.StepRunner.InterruptPolicy;
import org.mongolocks.time.TimeSource;

/**
 * An adapter of a lock in MongoDB to the interface of {@code java.util.concurrent}, for code that supports only that.
 * It belongs to the thread that has locked it, platform or virtual: the same thread can lock it again without a
 * command, and has to unlock it as often. All objects of one {@link LockClient} for one name are the same lock to a
 * thread; those of different clients are not. Created by {@link LockClient#asLock}; thread-safe.
 *
 * <p>The interface has no way to report that a lock was lost while it was held. {@link #unlock()} reports it, too late
 * to stop the work; {@link #isHeldByCurrentThread()} shows it earlier, and {@link #fencingToken()} makes writes safe.
 *
 * <p>A thread that ends without unlocking keeps the lock until its handle is garbage-collected, which is logged; with a
 * {@linkplain LockRequest#fixedLease() fixed lease}, until its ttl has passed.
 */
public final class DistributedLock implements Lock {
    private final ReentrantAcquirer locks;
    private final ThreadHolds handles;
    private final HoldRegistry holds;
    private final TimeSource time;
    private final LockRequest request;

    DistributedLock(Sessions sessions, ReentrantAcquirer locks, LockRequest request) {
        this.locks = locks;
        this.handles = sessions.threadHolds();
        this.holds = sessions.engine().holds();
        this.time = sessions.settings().time();
        this.request = request;
    }

    /** The owner key of a thread, which no user of {@link ReentrantLocks} can create. */
    private record OfThread(Thread thread) {}

    /**
     * Acquires the lock, and waits without limit while another owner holds it. An interrupt does not end the wait, and
     * is kept for later.
     *
     * @throws IllegalStateException if this thread holds the lock otherwise: by work, or a handle that it has acquired
     * @throws IndeterminateOutcomeException if replies were lost and the attempt could not be compensated
     * @throws LockException if the server refused or gave no reply; nothing is held
     * @throws ClientClosedException if the client is closed, also while this waits
     */
    @Override
    public void lock() {
        boolean locked = false;
        while (!locked) {
            requireNoHandle();
            locked = lockUninterruptibly(LockRequest.MAX_WAIT);
        }
    }

    /**
     * Acquires the lock as {@link #lock()} does, unless the thread is interrupted.
     *
     * @throws InterruptedException if the thread was interrupted, before or meanwhile; nothing is held
     */
    @Override
    public void lockInterruptibly() throws InterruptedException {
        boolean locked = false;
        while (!locked) {
            requireNoHandle();
            locked = lock(LockRequest.MAX_WAIT, InterruptPolicy.Interruptible.INSTANCE);
        }
    }

    /**
     * Makes one attempt, whatever wait the request has. An interrupt does not end it, and is kept for later.
     *
     * @return false if another owner holds the lock
     * @throws LockException as {@link #lock()} does
     * @throws ClientClosedException if the client is closed
     */
    @Override
    public boolean tryLock() {
        return lockUninterruptibly(Duration.ZERO);
    }

    /**
     * Acquires the lock, and waits while another owner holds it, whatever wait the request has.
     *
     * @param wait how long to wait; zero or less makes one attempt
     * @param unit the unit of the wait
     * @return false if another owner held the lock all the time
     * @throws InterruptedException if the thread was interrupted, before or meanwhile; nothing is held
     * @throws LockException as {@link #lock()} does
     * @throws ClientClosedException if the client is closed, also while this waits
     */
    @Override
    public boolean tryLock(long wait, TimeUnit unit) throws InterruptedException {
        long deadlineNanos = time.nanoTime() + (isHeldByAHandle() ? 0 : Math.max(0, unit.toNanos(wait)));
        boolean locked;
        do {
            locked = lock(leftUntil(deadlineNanos), InterruptPolicy.Interruptible.INSTANCE);
        } while (!locked && deadlineNanos - time.nanoTime() > 0);
        return locked;
    }

    /**
     * Unlocks once; the last call releases the lock. A lock that was lost has to be unlocked too, which reports the
     * loss. If the release fails after all work was done in time, that is not thrown but logged, as in
     * {@link LockClient#withLock}; the lock stays held until its ttl has passed.
     *
     * @throws IllegalMonitorStateException if this thread has not locked it, or has unlocked it as often
     * @throws LockLostException if the lock was lost before: another owner may have been in the guarded section at the
     *     same time. The lock is unlocked nevertheless.
     */
    @Override
    public void unlock() {
        HeldLock newest = newest();
        handles.pop(name());
        newest.endOfWork().finish();
    }

    /**
     * Throws, because a condition cannot wake threads of another process.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("A lock in MongoDB has no conditions");
    }

    /**
     * Returns the fencing token of the newest grant to this thread: larger than that of every earlier grant, and the
     * same however often the thread has locked. No round trip.
     *
     * @return the token, also after a loss: writes with it are refused then
     * @throws IllegalMonitorStateException if this thread has not locked it, or has unlocked it as often
     */
    public long fencingToken() {
        return newest().fencingToken();
    }

    /**
     * Returns the handle of this thread's newest grant, to renew the lock, to read its lease, or to learn of its loss.
     * No round trip. {@link #unlock()} releases it: do not call {@link HeldLock#release()} or
     * {@link HeldLock#close()}.
     *
     * @return the handle, also after a loss until the lock is unlocked; empty if this thread has not locked it, or has
     *     unlocked it as often
     */
    public Optional<HeldLock> heldLock() {
        return handles.newest(name());
    }

    /**
     * Returns whether this thread holds the lock, as {@link HeldLock#isHeld()} does. No round trip.
     *
     * @return false also once the lock was lost
     */
    public boolean isHeldByCurrentThread() {
        return getHoldCount() > 0;
    }

    /**
     * Returns how often this thread has locked the lock and not unlocked it. No round trip.
     *
     * @return the count; zero also once the lock was lost
     */
    public int getHoldCount() {
        return locks.holdCount(owner(), name());
    }

    /** Returns a description of the lock for logs. */
    @Override
    public String toString() {
        return "Lock '" + name() + "' of threads";
    }

    /** Another thread could release that handle, but this interface has no way to report why it waits. */
    private void requireNoHandle() {
        if (isHeldByAHandle()) {
            throw new IllegalStateException("Lock '" + name() + "' is held by this very thread, by a handle that it has"
                    + " acquired; only asLock() on the same thread locks it again, after asLock()");
        }
    }

    /** Returns whether this thread has acquired the lock otherwise than by this interface, and would wait for itself. */
    private boolean isHeldByAHandle() {
        return getHoldCount() == 0 && holds.isHeldByThisThread(name());
    }

    private boolean lockUninterruptibly(Duration wait) {
        return lock(wait, new InterruptPolicy.Uninterruptible());
    }

    private <X extends Exception> boolean lock(Duration wait, InterruptPolicy<X> interrupts) throws X {
        Optional<HeldLock> handle =
                locks.acquire(owner(), request.waitAtMost(wait), interrupts, contended -> Optional.empty());
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

    /**
     * The locks that each thread has locked and not unlocked, also after a loss. They are thread-local, so that nothing is
     * left of a thread that has ended.
     */
    static final class ThreadHolds {
        @SuppressWarnings("ThreadLocalUsage") // One for each client; clients are few and live long.
        private final ThreadLocal<Map<LockName, Deque<HeldLock>>> ofThread = new ThreadLocal<>();

        void push(HeldLock handle) {
            Map<LockName, Deque<HeldLock>> mine = mine();
            mine.computeIfAbsent(handle.lease().name(), name -> new ArrayDeque<>())
                    .push(handle);
            ofThread.set(mine);
        }

        Optional<HeldLock> newest(LockName name) {
            return Optional.ofNullable(mine().get(name)).map(Deque::getFirst);
        }

        void pop(LockName name) {
            Map<LockName, Deque<HeldLock>> mine = mine();
            mine.computeIfPresent(name, (same, handles) -> {
                handles.pop();
                return handles.isEmpty() ? null : handles;
            });
            if (mine.isEmpty()) {
                ofThread.remove();
            }
        }

        private Map<LockName, Deque<HeldLock>> mine() {
            Map<LockName, Deque<HeldLock>> known = ofThread.get();
            return known == null ? new HashMap<>() : known;
        }
    }
}
