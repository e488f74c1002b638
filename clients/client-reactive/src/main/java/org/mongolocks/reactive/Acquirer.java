package org.mongolocks.reactive;

import java.util.List;
import java.util.function.Function;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.internal.acquire.AcquireResult;
import org.mongolocks.internal.engine.ClientEngine;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.run.LockTask;
import reactor.core.publisher.Mono;

/** A runner of acquisitions, which compensates when one is aborted. Thread-safe. */
final class Acquirer {
    private final Sessions programs;
    private final ClientEngine engine;
    private final WithLock work;

    Acquirer(Sessions programs) {
        this.programs = programs;
        this.engine = programs.engine();
        this.work = new WithLock(programs.threads());
    }

    /** Returns the execution of work under locks of this client. */
    WithLock work() {
        return work;
    }

    /** Acquires a lock; empty if another owner holds it. */
    Mono<Hold> tryAcquire(LockRequest request) {
        return acquire(request, false, contended -> Mono.empty());
    }

    /** Acquires a lock, or fails with an exception that names its holder. */
    Mono<Hold> acquire(LockRequest request) {
        return acquire(request, false, Acquirer::insist);
    }

    /** Fails with the exception that names the holder. */
    static <T> Mono<T> insist(AcquireResult.Contended contended) {
        LockSnapshot holder = contended.lock();
        return Mono.error(new LockContendedException(holder.name(), holder, false, contended.waitAtMost()));
    }

    /** Acquires a lock; the function decides what a contended lock gives. */
    Mono<Hold> acquire(
            LockRequest request, boolean isReentrant, Function<AcquireResult.Contended, Mono<Hold>> otherwise) {
        LockTask task = programs.task("Acquiring", request.name());
        boolean mayBeContended = isReentrant && request.waitAtMost().isZero();
        return work.unlessOwn(
                        List.of(request.name()), mayBeContended, programs.run(task, () -> engine.acquire(request)))
                .flatMap(result -> result instanceof AcquireResult.Contended contended
                        ? otherwise.apply(contended)
                        : Mono.justOrEmpty(result.held(task).map(held -> held.get(0))));
    }

    /** Acquires several locks, all or none; empty if one is held. */
    Mono<ReactiveHeldLocks> tryAcquireAll(MultiLockRequest request) {
        return acquireAll(request, contended -> Mono.empty());
    }

    /** Acquires several locks, all or none, or fails with an exception that names the holder of one of them. */
    Mono<ReactiveHeldLocks> acquireAll(MultiLockRequest request) {
        return acquireAll(request, Acquirer::insist);
    }

    private Mono<ReactiveHeldLocks> acquireAll(
            MultiLockRequest request, Function<AcquireResult.Contended, Mono<List<Hold>>> otherwise) {
        LockTask task = programs.task("Acquiring", request.names());
        return work.unlessOwn(request.names(), false, programs.run(task, () -> engine.acquireAll(request)))
                .flatMap(result -> result instanceof AcquireResult.Contended contended
                        ? otherwise.apply(contended)
                        : Mono.justOrEmpty(result.held(task)))
                .map(held -> new ReactiveHeldLocks(held.stream()
                        .map(hold -> new ReactiveHeldLock(programs, hold))
                        .toList()));
    }
}
