package org.mongolocks.reactive;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.internal.acquire.AcquireResult.Contended;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.reentrant.ReentrantAcquisition;
import org.mongolocks.internal.reentrant.ReentrantHolds;
import org.mongolocks.spi.Step;
import reactor.core.publisher.Mono;

/**
 * The re-entrant view of a client's locks, for an owner that the caller chooses: one order, one job, one request. An
 * owner that holds a lock enters it again without a command, any number of times, from any subscriber. A lock held by
 * another owner of the same client is contended as for any other client. Created by
 * {@link ReactiveLockClient#reentrant}; thread-safe.
 *
 * <p>Every entry has its own handle of the same grant: the same fencing token, the same lease, the same loss. A release
 * decrements a count, and the last one releases the lock. A released handle holds nothing; a second release of it has
 * no effect. A loss ends all entries: the next acquisition is a new grant, with a larger token, and the old handles
 * still report the loss.
 *
 * <p>Work of this view ({@link #withLock}, for example) in the chain of work under the lock without an owner, by
 * {@link ReactiveLockClient#withLock} for example, enters it too: it gets the handle of that work, whose lease applies.
 * Do not release it.
 *
 * <p>A second acquisition by the same owner while the first is in progress waits for its outcome, as long as its own
 * request says, instead of contending with it.
 *
 * <p>The lease stays as the first request asked for it: the ttl, the note and the fairness of a request that enters
 * again are not used. The lock is kept alive if any entry asks for that, from then on until it is released. Only if all ask
 * for a {@linkplain LockRequest#fixedLease() fixed lease}, it ends after one ttl: work that needs more time checks
 * {@link ReactiveHeldLock#remaining()} and renews.
 *
 * <p>Several locks at once have no such view: enter them one by one, in the order of their names.
 */
public final class ReactiveReentrantLocks implements ReactiveLockOperations {
    private final ReactiveLockClient client;
    private final Sessions programs;
    private final Acquirer acquirer;
    private final ReentrantHolds reentries;
    private final Object owner;

    ReactiveReentrantLocks(ReactiveLockClient client, Sessions programs, Acquirer acquirer, Object owner) {
        this.client = client;
        this.programs = programs;
        this.acquirer = acquirer;
        this.reentries = programs.engine().reentries();
        this.owner = Objects.requireNonNull(owner, "The owner is null");
    }

    @Override
    public LockRequest request(String name) {
        return client.request(name);
    }

    @Override
    public Mono<ReactiveHeldLock> tryAcquire(LockRequest request) {
        return acquire(request, contended -> Mono.empty());
    }

    @Override
    public Mono<ReactiveHeldLock> acquire(LockRequest request) {
        return acquire(request, Acquirer::insist);
    }

    @Override
    public <R> Mono<R> callWithLock(LockRequest request, Function<ReactiveHeldLock, Mono<R>> work) {
        return work(request, acquire(request), work);
    }

    @Override
    public <R> Mono<R> tryCallWithLock(LockRequest request, Function<ReactiveHeldLock, Mono<R>> work) {
        return work(request, tryAcquire(request), work);
    }

    /**
     * Returns how often the owner has entered a lock and not left it. No round trip.
     *
     * @param name the name of the lock
     * @return the count; zero if the owner does not hold it, or has lost it
     */
    public int holdCount(LockName name) {
        return reentries.count(owner, name);
    }

    private <R> Mono<R> work(
            LockRequest request, Mono<ReactiveHeldLock> acquired, Function<ReactiveHeldLock, Mono<R>> work) {
        Objects.requireNonNull(work, "The work is null");
        Function<ReactiveHeldLock, Mono<R>> ofCaller = FatalErrors.ofCaller(work);
        // A lock of no owner outlasts what begins and ends inside of the work that it guards.
        return acquirer.work()
                .guarding(request.name())
                .filter(ReactiveHeldLock::isExclusive)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .flatMap(guard ->
                        guard.map(ofCaller).orElseGet(() -> acquirer.work().under(acquired, ofCaller)));
    }

    private Mono<ReactiveHeldLock> acquire(LockRequest request, Function<Contended, Mono<Hold>> otherwise) {
        Objects.requireNonNull(request, "The request is null");
        return Mono.defer(() -> {
            ReentrantAcquisition acquisition = reentries.acquisition(owner, request);
            Mono<ReactiveHeldLock> handle = acquisition.start() instanceof Step.Done<ReentrantAcquisition.Outcome> done
                    ? handle(acquisition, done.result(), otherwise)
                    : waiting(acquisition, request).flatMap(entrance -> handle(acquisition, entrance, otherwise));
            return handle.doFinally(signal -> acquisition.end());
        });
    }

    private Mono<ReactiveHeldLock> handle(
            ReentrantAcquisition acquisition,
            ReentrantAcquisition.Outcome entrance,
            Function<Contended, Mono<Hold>> otherwise) {
        return switch (entrance) {
            case ENTERED -> entered(new ReactiveHeldLock(programs, acquisition.hold(), acquisition.share()));
            case CONTENDED -> handle(acquisition, otherwise.apply(acquisition.contended()));
            case TO_BE_ACQUIRED ->
                handle(acquisition, acquirer.acquire(acquisition.remainingRequest(), true, otherwise));
        };
    }

    private Mono<ReactiveHeldLock> handle(ReentrantAcquisition acquisition, Mono<Hold> granted) {
        return granted.map(hold -> new ReactiveHeldLock(programs, hold, acquisition.acquired(hold)));
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
