package org.mongolocks.reactive;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.mongolocks.ClientClosedException;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.TokenWentBackException;
import org.mongolocks.internal.reentrant.ReentrantAcquisition;
import org.mongolocks.internal.reentrant.ReentrantHolds;
import org.mongolocks.spi.Step;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * The re-entrant view of a client's locks, for an owner that the caller chooses: one order, one job, one request. An
 * owner that holds a lock enters it again without a command, any number of times, from any subscriber; a lock held by
 * another owner of the same client is contended as for any other client. Created by
 * {@link ReactiveLockClient#reentrant()}; thread-safe.
 *
 * <p>Every entry has its own handle of the same grant: the same fencing token, the same lease, the same loss. A release
 * decrements a count, and the last one releases the lock. A released handle holds nothing; a second release of it has
 * no effect. A loss ends all entries: the next acquisition is a new grant, with a larger token, and the old handles
 * still report the loss.
 *
 * <p>{@link #withLock} and {@link #callWithLock} in the chain of work under the lock without an owner, by
 * {@link ReactiveLockClient#withLock} for example, enter it too: their work gets the handle of that work, whose lease
 * applies. Do not release it.
 *
 * <p>A second acquisition by the same owner while the first is in progress waits for its outcome, as long as its own
 * request says, instead of contending with it.
 *
 * <p>The lease stays as the first request asked for it: the ttl, the note and the fairness of a request that enters
 * again are not used. {@linkplain LockRequest#keepAlive() Keep-alive} is: if one entry asks for it, the lock is kept
 * alive from then on until it is released. Without it, work that needs more time checks
 * {@link ReactiveHeldLock#remaining()} and renews.
 */
public final class ReactiveReentrantLocks {
    private final Sessions programs;
    private final Acquirer acquirer;
    private final ReentrantHolds reentries;

    ReactiveReentrantLocks(Sessions programs, Acquirer acquirer) {
        this.programs = programs;
        this.acquirer = acquirer;
        this.reentries = programs.engine().reentries();
    }

    /**
     * Enters a lock, or acquires it as {@link ReactiveLockClient#acquire} does. No round trip if this owner holds it.
     * As described there, a cancellation at the moment of the grant may come too late: use {@link #withLock} where that
     * can happen.
     *
     * @param owner the owner: a value with {@code equals} and {@code hashCode} that do not change, for example the id
     *     of an order. It is known to this client only, and kept no longer than the lock.
     * @param request the lock, the ttl and the wait
     * @return emits a handle, or nothing if another owner held the lock all the time. Fails with
     *     {@link IndeterminateLockException} if replies were lost and the attempt could not be compensated; with
     *     {@link TokenWentBackException} as {@link ReactiveLockClient#acquire} does; with {@link LockException} if the
     *     server refused or gave no reply; with {@link ClientClosedException} if the client is closed.
     */
    public Mono<ReactiveHeldLock> acquire(Object owner, LockRequest request) {
        Objects.requireNonNull(owner, "The owner is null");
        Objects.requireNonNull(request, "The request is null");
        return Mono.defer(() -> {
            ReentrantAcquisition acquisition = reentries.acquisition(owner, request);
            Mono<ReactiveHeldLock> handle = acquisition.start() instanceof Step.Done<ReentrantAcquisition.Outcome> done
                    ? handle(acquisition, done.result())
                    : waiting(acquisition, request).flatMap(entrance -> handle(acquisition, entrance));
            return handle.doFinally(signal -> acquisition.end());
        });
    }

    /**
     * Runs work under a lock that an owner enters or acquires, and leaves it in every case; see
     * {@link ReactiveLockClient#withLock}.
     *
     * @param owner the owner; see {@link #acquire}
     * @param request the lock, the ttl and the wait
     * @param action returns the work; its elements are dropped
     * @return emits true if the work was done; false if another owner held the lock all the time and nothing was done.
     *     Fails with the error of the work; with {@link LockLostException} if the lock was lost before the end of the
     *     work, and so does the enclosing work; and as {@link #acquire} does, and then nothing was done.
     */
    public Mono<Boolean> withLock(
            Object owner, LockRequest request, Function<ReactiveHeldLock, ? extends Publisher<?>> action) {
        Objects.requireNonNull(action, "The action is null");
        return callWithLock(owner, request, lock -> WithLock.done(action.apply(lock)))
                .defaultIfEmpty(false);
    }

    /**
     * Runs work with a result under a lock that an owner enters or acquires, and leaves it in every case; see
     * {@link ReactiveLockClient#callWithLock(LockRequest, Function)}.
     *
     * @param owner the owner; see {@link #acquire}
     * @param request the lock, the ttl and the wait
     * @param work returns the work
     * @param <R> the result of the work
     * @return emits the result; empty if another owner held the lock all the time and nothing was done, or if the work
     *     is empty. Fails as {@link #withLock} does.
     */
    public <R> Mono<R> callWithLock(Object owner, LockRequest request, Function<ReactiveHeldLock, Mono<R>> work) {
        Objects.requireNonNull(work, "The work is null");
        Objects.requireNonNull(owner, "The owner is null");
        // A lock of no owner outlasts what begins and ends inside of the work that it guards.
        return acquirer.work()
                .guarding(request.name())
                .filter(ReactiveHeldLock::isExclusive)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .flatMap(guard ->
                        guard.map(work).orElseGet(() -> acquirer.work().under(acquire(owner, request), work)));
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

    private Mono<ReactiveHeldLock> handle(ReentrantAcquisition acquisition, ReentrantAcquisition.Outcome entrance) {
        return switch (entrance) {
            case ENTERED -> entered(new ReactiveHeldLock(programs, acquisition.hold(), acquisition.share()));
            case CONTENDED -> Mono.empty();
            case TO_BE_ACQUIRED ->
                acquirer.acquireReentrant(acquisition.remainingRequest())
                        .map(hold -> new ReactiveHeldLock(programs, hold, acquisition.acquired(hold)));
        };
    }

    /** A subscriber that cancels before it requests the handle leaves the lock. */
    private static Mono<ReactiveHeldLock> entered(ReactiveHeldLock lock) {
        AtomicBoolean emitted = new AtomicBoolean();
        return Mono.just(lock).doOnNext(handle -> emitted.set(true)).doOnCancel(() -> {
            if (!emitted.get()) {
                lock.close().subscribe();
            }
        });
    }

    /** Only an acquisition that has to wait needs a runner. */
    private Mono<ReentrantAcquisition.Outcome> waiting(ReentrantAcquisition acquisition, LockRequest request) {
        return programs.run(programs.task("Acquiring", request.name()), () -> acquisition);
    }
}
