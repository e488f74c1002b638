package org.mongolocks.reactive;

import java.util.List;
import java.util.Optional;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockRequest;
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
    Mono<Hold> acquire(LockRequest request) {
        return acquire(request, false).flatMap(result -> Mono.justOrEmpty(only(request, result)));
    }

    /** Acquires a lock, or fails with an exception that names its holder. */
    Mono<Hold> acquireOrThrow(LockRequest request) {
        return acquire(request, false)
                .map(result -> only(request, result)
                        .orElseThrow(() -> new LockContendedException(
                                request.name(), ((AcquireResult.Contended) result).holder(), false)));
    }

    /** Acquires a lock for an owner. */
    Mono<Hold> acquireReentrant(LockRequest request) {
        return acquire(request, true).flatMap(result -> Mono.justOrEmpty(only(request, result)));
    }

    private Mono<AcquireResult> acquire(LockRequest request, boolean isReentrant) {
        return work.unlessOwn(
                List.of(request.name()), isReentrant, programs.run(task(request), () -> engine.acquire(request)));
    }

    /** Returns the lock that was requested alone. */
    private Optional<Hold> only(LockRequest request, AcquireResult result) {
        return result.held(task(request)).map(held -> held.get(0));
    }

    private LockTask task(LockRequest request) {
        return programs.task("Acquiring", request.name());
    }

    /** Acquires several locks, all or none. */
    Mono<ReactiveHeldLocks> acquireAll(MultiLockRequest request) {
        LockTask task = programs.task("Acquiring", request.names());
        return work.unlessOwn(request.names(), false, programs.run(task, () -> engine.acquireAll(request)))
                .flatMap(result -> Mono.justOrEmpty(result.held(task)))
                .map(held -> new ReactiveHeldLocks(held.stream()
                        .map(hold -> new ReactiveHeldLock(programs, hold))
                        .toList()));
    }
}
