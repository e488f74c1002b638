package org.mongolocks.sync;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.sync.HeldLock.LockedCallable;
import org.mongolocks.sync.StepRunner.InterruptPolicy;

/**
 * The re-entrant view of a client's locks, for an owner that the caller chooses: one order, one job, one request. An
 * owner that holds a lock enters it again without a command, any number of times, on any thread. A lock held by another
 * owner of the same client is contended as for any other client. Created by {@link LockClient#reentrant}; thread-safe.
 *
 * <p>Every entry has its own handle of the same grant: the same fencing token, the same lease, the same loss. A release
 * decrements a count, and the last one releases the lock. A released handle holds nothing; a second release of it has
 * no effect. A loss ends all entries: the next acquisition is a new grant, with a larger token, and the old handles
 * still report the loss. The enclosing work gets the {@code LockLostException} too.
 *
 * <p>A thread may hold the lock without an owner: by work of {@link LockClient#withLock}, for example, or by
 * {@link LockClient#asLock}. Work of this view on such a thread enters it too, and gets that handle, whose lease
 * applies. Do not release it.
 *
 * <p>A second acquisition by the same owner while the first is in progress waits for its outcome, as long as its own
 * request says, instead of contending with it.
 *
 * <p>The lease stays as the first request asked for it: the ttl, the note and the fairness of a request that enters
 * again are not used. The lock is kept alive if any entry asks for that, from then on until it is released. Only if all ask
 * for a {@linkplain LockRequest#fixedLease() fixed lease}, it ends after one ttl: work that needs more time checks
 * {@link HeldLock#remaining()} and renews.
 *
 * <p>Several locks at once have no such view: enter them one by one, in the order of their names.
 */
public final class ReentrantLocks implements LockOperations {
    private final LockClient client;
    private final Acquirer acquirer;
    private final ReentrantAcquirer entries;
    private final Object owner;

    ReentrantLocks(LockClient client, Acquirer acquirer, ReentrantAcquirer entries, Object owner) {
        this.client = client;
        this.acquirer = acquirer;
        this.entries = entries;
        this.owner = Objects.requireNonNull(owner, "The owner is null");
    }

    @Override
    public LockRequest request(String name) {
        return client.request(name);
    }

    @Override
    public Optional<HeldLock> tryAcquire(LockRequest request) throws InterruptedException {
        return entries.acquire(owner, request, InterruptPolicy.Interruptible.INSTANCE, contended -> Optional.empty());
    }

    @Override
    public HeldLock acquire(LockRequest request) throws InterruptedException {
        return entries.acquire(owner, request, InterruptPolicy.Interruptible.INSTANCE, acquirer::insist)
                .orElseThrow();
    }

    @Override
    public <R extends @Nullable Object, E extends Exception> R callWithLock(
            LockRequest request, LockedCallable<R, E> work) throws E, InterruptedException {
        Objects.requireNonNull(work, "The work is null");
        Optional<HeldLock> guard = guard(request);
        return guard.isPresent()
                ? work.call(guard.get())
                : new WithLock(acquirer.work()).call(acquire(acquirer.forWork(request)), work);
    }

    @Override
    public <R, E extends Exception> Optional<R> tryCallWithLock(LockRequest request, LockedCallable<R, E> work)
            throws E, InterruptedException {
        Objects.requireNonNull(work, "The work is null");
        Optional<HeldLock> guard = guard(request);
        return guard.isPresent()
                ? WithLock.result(work.call(guard.get()))
                : new WithLock(acquirer.work()).call(tryAcquire(acquirer.forWork(request)), work);
    }

    /**
     * Returns how often the owner has entered a lock and not left it. No round trip.
     *
     * @param name the name of the lock
     * @return the count; zero if the owner does not hold it, or has lost it
     */
    public int holdCount(LockName name) {
        return entries.holdCount(owner, name);
    }

    /** Returns the lock of this thread and no owner: it outlasts what begins and ends inside of its work. */
    private Optional<HeldLock> guard(LockRequest request) {
        return acquirer.guardingWithoutOwner(
                Objects.requireNonNull(request, "The request is null").name());
    }
}
