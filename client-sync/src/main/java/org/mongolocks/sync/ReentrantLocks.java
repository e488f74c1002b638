package org.mongolocks.sync;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.mongolocks.ClientClosedException;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.TokenWentBackException;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.reentrant.ReentrantAcquisition;
import org.mongolocks.internal.reentrant.ReentrantHolds;
import org.mongolocks.spi.Step;
import org.mongolocks.sync.DistributedLock.ThreadHolds;
import org.mongolocks.sync.HeldLock.LockedAction;
import org.mongolocks.sync.HeldLock.LockedCallable;
import org.mongolocks.sync.StepRunner.InterruptPolicy;

/**
 * The re-entrant view of a client's locks, for an owner that the caller chooses: one order, one job, one request. An
 * owner that holds a lock enters it again without a command, any number of times, on any thread; a lock held by another
 * owner of the same client is contended as for any other client. Created by {@link LockClient#reentrant()};
 * thread-safe.
 *
 * <p>Every entry has its own handle of the same grant: the same fencing token, the same lease, the same loss. A release
 * decrements a count, and the last one releases the lock. A released handle holds nothing; a second release of it has
 * no effect. A loss ends all entries: the next acquisition is a new grant, with a larger token, and the old handles
 * still report the loss.
 *
 * <p>{@link #withLock} and {@link #callWithLock} on a thread that runs work under the lock without an owner, by
 * {@link LockClient#withLock} for example, enter it too: their work gets the handle of that work, whose lease applies. Do
 * not release it.
 *
 * <p>A second acquisition by the same owner while the first is in progress waits for its outcome, as long as its own
 * request says, instead of contending with it.
 *
 * <p>The lease stays as the first request asked for it: the ttl, the note and the fairness of a request that enters
 * again are not used. {@linkplain LockRequest#keepAlive() Keep-alive} is: if one entry asks for it, the lock is kept
 * alive from then on until it is released. Without it, work that needs more time checks {@link HeldLock#remaining()}
 * and renews.
 */
public final class ReentrantLocks {
    private final Sessions sessions;
    private final Acquirer acquirer;
    private final ReentrantHolds reentries;
    private final ThreadHolds handles = new ThreadHolds();

    ReentrantLocks(Sessions sessions, Acquirer acquirer) {
        this.sessions = sessions;
        this.acquirer = acquirer;
        this.reentries = sessions.engine().reentries();
    }

    /**
     * Enters a lock, or acquires it as {@link LockClient#acquire} does. No round trip if this owner holds it.
     *
     * @param owner the owner: a value with {@code equals} and {@code hashCode} that do not change, for example the id
     *     of an order. It is known to this client only, and kept no longer than the lock.
     * @param request the lock, the ttl and the wait
     * @return a handle, or empty if another owner held the lock all the time
     * @throws IndeterminateLockException if replies were lost and the attempt could not be compensated
     * @throws TokenWentBackException as {@link LockClient#acquire} does
     * @throws LockException if the server refused or gave no reply; nothing was acquired
     * @throws InterruptedException if the thread was interrupted while it waited or acquired; nothing was acquired
     * @throws ClientClosedException if the client is closed
     */
    public Optional<HeldLock> acquire(Object owner, LockRequest request) throws InterruptedException {
        return acquire(owner, request, InterruptPolicy.Interruptible.INSTANCE);
    }

    /**
     * Runs work under a lock that an owner enters or acquires, and leaves it in every case; see
     * {@link LockClient#withLock}.
     *
     * @param owner the owner; see {@link #acquire}
     * @param request the lock, the ttl and the wait
     * @param action the work
     * @param <E> the exceptions of the work
     * @return true if the work was done; false if another owner held the lock all the time and nothing was done
     * @throws E if the work failed
     * @throws LockLostException if the lock was lost before the end of the work; the enclosing work gets this exception
     *     too
     * @throws LockException as {@link #acquire} does, and then nothing was done
     * @throws InterruptedException if the thread was interrupted while it waited or acquired; nothing was done
     */
    public <E extends Exception> boolean withLock(Object owner, LockRequest request, LockedAction<E> action)
            throws E, InterruptedException {
        Objects.requireNonNull(action, "The action is null");
        Optional<HeldLock> guard = guard(owner, request);
        if (guard.isPresent()) {
            action.run(guard.get());
            return true;
        }
        Optional<HeldLock> entered = acquire(owner, request);
        if (entered.isPresent()) {
            work(entered.get(), lock -> {
                action.run(lock);
                return true;
            });
        }
        return entered.isPresent();
    }

    /**
     * Runs work with a result under a lock that an owner enters or acquires, and leaves it in every case; see
     * {@link LockClient#callWithLock(LockRequest, LockedCallable)}.
     *
     * @param owner the owner; see {@link #acquire}
     * @param request the lock, the ttl and the wait
     * @param work the work; its result is not null
     * @param <R> the result of the work
     * @param <E> the exceptions of the work
     * @return the result; empty if another owner held the lock all the time and nothing was done
     * @throws E if the work failed
     * @throws LockLostException if the lock was lost before the end of the work
     * @throws LockException as {@link #acquire} does, and then nothing was done
     * @throws InterruptedException if the thread was interrupted while it waited or acquired; nothing was done
     * @throws NullPointerException if the result was null; the work was done
     */
    public <R, E extends Exception> Optional<R> callWithLock(
            Object owner, LockRequest request, LockedCallable<R, E> work) throws E, InterruptedException {
        Objects.requireNonNull(work, "The work is null");
        Optional<HeldLock> guard = guard(owner, request);
        if (guard.isPresent()) {
            return Optional.of(Objects.requireNonNull(work.call(guard.get()), "The result of the work is null"));
        }
        Optional<HeldLock> entered = acquire(owner, request);
        return entered.isPresent()
                ? Optional.of(Objects.requireNonNull(work(entered.get(), work), "The result of the work is null"))
                : Optional.empty();
    }

    private <R, E extends Exception> R work(HeldLock lock, LockedCallable<R, E> work) throws E {
        return new WithLock(acquirer.work()).under(List.of(lock), () -> work.call(lock));
    }

    /** Returns the lock of no owner whose work this thread runs: it outlasts what begins and ends inside of that work. */
    private Optional<HeldLock> guard(Object owner, LockRequest request) {
        Objects.requireNonNull(owner, "The owner is null");
        return acquirer.work().guarding(request.name()).filter(HeldLock::isExclusive);
    }

    /**
     * Returns how often an owner has entered a lock and not left it. No round trip.
     *
     * @param owner the owner
     * @param name the name of the lock
     * @return the count; zero if this owner does not hold it, or has lost it
     */
    public int holdCount(Object owner, LockName name) {
        return reentries.count(owner, name);
    }

    DistributedLock asLock(LockRequest request) {
        return new DistributedLock(this, handles, sessions.settings().time(), request);
    }

    Optional<HeldLock> acquire(Object owner, LockRequest request, InterruptPolicy interrupts)
            throws InterruptedException {
        Objects.requireNonNull(request, "The request is null");
        ReentrantAcquisition acquisition = reentries.acquisition(owner, request);
        try {
            interrupts.begin();
            return switch (enter(acquisition, request, interrupts)) {
                case ENTERED -> Optional.of(new HeldLock(sessions, acquisition.hold(), acquisition.share()));
                case CONTENDED -> Optional.empty();
                case TO_BE_ACQUIRED ->
                    acquirer.acquireReentrant(acquisition.remainingRequest(), interrupts)
                            .map(hold -> handle(acquisition, hold));
            };
        } finally {
            acquisition.end();
            interrupts.end();
        }
    }

    private HeldLock handle(ReentrantAcquisition acquisition, Hold granted) {
        return new HeldLock(sessions, granted, acquisition.acquired(granted));
    }

    /** Only an acquisition that has to wait needs a runner. */
    private ReentrantAcquisition.Outcome enter(
            ReentrantAcquisition acquisition, LockRequest request, InterruptPolicy interrupts)
            throws InterruptedException {
        return acquisition.start() instanceof Step.Done<ReentrantAcquisition.Outcome> done
                ? done.result()
                : acquirer.run(sessions.task("Acquiring", request.name()), acquisition, interrupts);
    }
}
