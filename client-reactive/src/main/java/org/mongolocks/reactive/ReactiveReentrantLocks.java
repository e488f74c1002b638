package org.mongolocks.reactive;

import java.util.List;
import java.util.function.Function;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.TokenWentBackException;
import org.mongolocks.internal.Reentries;
import org.mongolocks.internal.Visit;
import org.mongolocks.spi.Step;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * Acquires locks in the name of an owner that the caller chooses: one order, one job, one request. Who holds a lock in
 * that name enters it again without asking the server, any number of times, from any subscriber; another owner of the
 * same client is contended as any other party. {@link ReactiveLockClient#reentrant()} gives it; it is thread-safe.
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
 * then on until it is given back. Who needs more time without it looks at {@link ReactiveHeldLock#remaining()} and renews.
 */
public final class ReactiveReentrantLocks {
    private final Programs programs;
    private final Acquirer acquirer;
    private final Reentries reentries;

    ReactiveReentrantLocks(Programs programs, Acquirer acquirer, Reentries reentries) {
        this.programs = programs;
        this.acquirer = acquirer;
        this.reentries = reentries;
    }

    /**
     * Enters a lock, or acquires it as {@link ReactiveLockClient#acquire} does. No round trip if it is held in this name.
     * What that method says of a cancellation in the moment of the grant is so here: use {@link #withLock} where it can
     * happen.
     *
     * @param owner in whose name: a value with {@code equals} and {@code hashCode} that do not change, for example the
     *     id of an order. It is known to this client only, and kept no longer than the lock.
     * @param request what to acquire, and how long to wait
     * @return emits a handle, or nothing if another held the lock all the time. Fails with
     *     {@link IndeterminateLockException} if replies were lost and the attempt could not be taken back; with
     *     {@link TokenWentBackException} as {@link ReactiveLockClient#acquire} does; with
     *     {@link LockException} if the server refused or gave no answer; with {@link IllegalStateException} if the client
     *     is closed.
     */
    public Mono<ReactiveHeldLock> acquire(Object owner, LockRequest request) {
        return Mono.defer(() -> {
            Visit visit = reentries.visit(owner, request);
            return enter(visit, request)
                    .flatMap(entrance -> handle(visit, entrance))
                    .doFinally(signal -> visit.end());
        });
    }

    /**
     * Does work under a lock that is entered, or acquired, in somebody's name, and leaves it whatever happens; see
     * {@link ReactiveLockClient#withLock}.
     *
     * @param owner in whose name; see {@link #acquire}
     * @param request what to acquire, and how long to wait
     * @param action gives the work; what it emits is dropped
     * @return emits true if the work was done; false if another held the lock all the time and nothing was done. Fails
     *     with what the work failed with; with {@link LockLostException} if the lock was lost before the end of the work,
     *     and so does the work around it; and as {@link #acquire} does, and then nothing was done.
     */
    public Mono<Boolean> withLock(
            Object owner, LockRequest request, Function<ReactiveHeldLock, ? extends Publisher<?>> action) {
        return Mono.usingWhen(
                        acquire(owner, request),
                        lock -> Work.under(List.of(lock), () -> action.apply(lock)),
                        ReactiveHeldLock::close)
                .defaultIfEmpty(false);
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

    private Mono<ReactiveHeldLock> handle(Visit visit, Visit.Entrance entrance) {
        return switch (entrance) {
            case ENTERED -> Mono.just(new ReactiveHeldLock(programs, visit.hold(), visit.share()));
            case CONTENDED -> Mono.empty();
            case TO_BE_ACQUIRED ->
                acquirer.acquire(visit.rest()).map(hold -> new ReactiveHeldLock(programs, hold, visit.acquired(hold)));
        };
    }

    /** Only what has to wait needs a runner. */
    private Mono<Visit.Entrance> enter(Visit visit, LockRequest request) {
        return visit.start() instanceof Step.Done<Visit.Entrance> done
                ? Mono.just(done.result())
                : acquirer.run(programs.task("Acquiring", request.name()), visit::waiting);
    }
}
