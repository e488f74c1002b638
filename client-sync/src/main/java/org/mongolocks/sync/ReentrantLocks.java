package org.mongolocks.sync;

import java.util.List;
import java.util.Optional;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.TokenWentBackException;
import org.mongolocks.internal.Hold;
import org.mongolocks.internal.Reentries;
import org.mongolocks.internal.Visit;
import org.mongolocks.spi.Step;

/**
 * Acquires locks in the name of an owner that the caller chooses: one order, one job, one request. Who holds a lock in
 * that name enters it again without asking the server, any number of times, on any thread; another owner of the same
 * client is contended as any other party. {@link LockClient#reentrant()} gives it; it is thread-safe.
 *
 * <p>Every entry has its own handle, of one and the same grant: the same fencing token, the same lease, the same loss. A
 * release counts down, and the last one gives the lock back. A handle that was given back holds nothing; to give it back
 * again changes nothing. A loss ends all entries: the next acquisition is a new grant, with a larger token, and the old
 * handles keep telling the loss.
 *
 * <p>A second acquisition in the same name while the first is under way waits for its outcome, as long as its own request
 * says, instead of contending with it.
 *
 * <p>The lease stays as the first request asked for it: the ttl, the note and the order of a request that enters again are
 * not used. {@linkplain LockRequest#keepAlive() Keep-alive} is: if one entry asks for it, the lock is kept alive from
 * then on until it is given back. Who needs more time without it looks at {@link HeldLock#remaining()} and renews.
 */
public final class ReentrantLocks {
    private final Sessions sessions;
    private final Acquirer acquirer;
    private final Reentries reentries;
    private final ThreadHandles handles = new ThreadHandles();

    ReentrantLocks(Sessions sessions, Acquirer acquirer, Reentries reentries) {
        this.sessions = sessions;
        this.acquirer = acquirer;
        this.reentries = reentries;
    }

    /**
     * Enters a lock, or acquires it as {@link LockClient#acquire} does. No round trip if it is held in this name.
     *
     * @param owner in whose name: a value with {@code equals} and {@code hashCode} that do not change, for example the
     *     id of an order. It is known to this client only, and kept no longer than the lock.
     * @param request what to acquire, and how long to wait
     * @return a handle, or empty if another held the lock all the time
     * @throws IndeterminateLockException if replies were lost and the attempt could not be taken back
     * @throws TokenWentBackException as {@link LockClient#acquire} does
     * @throws LockException if the server refused or gave no answer; nothing was acquired
     * @throws InterruptedException if the thread was interrupted while it waited or asked; nothing was acquired
     * @throws IllegalStateException if the client is closed
     */
    public Optional<HeldLock> acquire(Object owner, LockRequest request) throws InterruptedException {
        return acquire(owner, request, new Patience.Interruptible());
    }

    /**
     * Does work under a lock that is entered, or acquired, in somebody's name, and leaves it whatever happens; see
     * {@link LockClient#withLock}.
     *
     * @param owner in whose name; see {@link #acquire}
     * @param request what to acquire, and how long to wait
     * @param action the work
     * @param <E> what the work may throw
     * @return true if the work was done; false if another held the lock all the time and nothing was done
     * @throws E if the work failed
     * @throws LockLostException if the lock was lost before the end of the work; the work around it is told so too
     * @throws LockException as {@link #acquire} does, and then nothing was done
     * @throws InterruptedException if the thread was interrupted while it waited or asked; nothing was done
     */
    public <E extends Exception> boolean withLock(Object owner, LockRequest request, LockedAction<E> action)
            throws E, InterruptedException {
        Optional<HeldLock> entered = acquire(owner, request);
        if (entered.isPresent()) {
            Work.under(List.of(entered.get()), () -> action.run(entered.get()));
        }
        return entered.isPresent();
    }

    /**
     * Counts how often a lock was entered in a name and not left. No round trip.
     *
     * @param owner in whose name
     * @param name what is locked
     * @return how often; zero if it is not held in that name, or was lost
     */
    public int holdCount(Object owner, LockName name) {
        return reentries.count(owner, name);
    }

    DistributedLock asLock(LockRequest request) {
        return new DistributedLock(this, handles, sessions.settings().time(), request);
    }

    Optional<HeldLock> acquire(Object owner, LockRequest request, Patience patience) throws InterruptedException {
        Visit visit = reentries.visit(owner, request);
        try {
            patience.begin();
            return switch (enter(visit, request, patience)) {
                case ENTERED -> Optional.of(new HeldLock(sessions, visit.hold(), visit.share()));
                case CONTENDED -> Optional.empty();
                case TO_BE_ACQUIRED -> acquirer.acquire(visit.rest(), patience).map(hold -> handle(visit, hold));
            };
        } finally {
            visit.end();
            patience.end();
        }
    }

    private HeldLock handle(Visit visit, Hold granted) {
        return new HeldLock(sessions, granted, visit.acquired(granted));
    }

    /** Only what has to wait needs a runner. */
    private Visit.Entrance enter(Visit visit, LockRequest request, Patience patience) throws InterruptedException {
        return visit.start() instanceof Step.Done<Visit.Entrance> done
                ? done.result()
                : acquirer.run(
                        sessions.task("Acquiring", request.name()), visit.waiting(), patience, entrance -> entrance);
    }
}
