package org.mongolocks.reactive;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.Lease;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.internal.acquire.Acquisition;
import org.mongolocks.internal.acquire.MultiLockAcquisition;
import org.mongolocks.internal.acquire.MultiLockResult;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.HoldRegistry;
import org.mongolocks.internal.hold.ReleaseOperation;
import org.mongolocks.internal.run.ClientRuns.CompensatedProgram;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.PendingCompensation;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.reactive.ProgramMono.SubscriberProgram;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Step;
import reactor.core.publisher.Mono;

/** A runner of acquisitions, which compensates when one is aborted. Thread-safe. */
final class Acquirer {
    private final Sessions programs;
    private final HoldRegistry holds;
    private final WithLock work;

    Acquirer(Sessions programs, HoldRegistry holds) {
        this.programs = programs;
        this.holds = holds;
        this.work = new WithLock(programs.threads());
    }

    /** Returns the execution of work under locks of this client. */
    WithLock work() {
        return work;
    }

    /** Acquires a lock; empty if another owner holds it. */
    Mono<Hold> acquire(LockRequest request) {
        return acquire(request, false, contended -> Mono.empty());
    }

    /** Acquires a lock, or fails with an exception that names its holder. */
    Mono<Hold> acquireOrThrow(LockRequest request) {
        return acquire(
                request,
                false,
                contended -> Mono.error(new LockContendedException(request.name(), contended.holder(), false)));
    }

    /** Acquires a lock for an owner. */
    Mono<Hold> acquireReentrant(LockRequest request) {
        return acquire(request, true, contended -> Mono.empty());
    }

    private Mono<Hold> acquire(
            LockRequest request, boolean isReentrant, Function<LockOutcome.Contended, Mono<Hold>> otherwise) {
        return work.unlessOwn(List.of(request.name()), isReentrant, acquire(request, otherwise));
    }

    private Mono<Hold> acquire(LockRequest request, Function<LockOutcome.Contended, Mono<Hold>> otherwise) {
        return programs.settings().holding().observer().isPresent()
                ? Mono.defer(() -> acquire(request, programs.settings().time().nanoTime(), otherwise))
                : acquire(request, 0, otherwise);
    }

    /** The time of the call matters to an observer only. */
    private Mono<Hold> acquire(
            LockRequest request, long askedNanos, Function<LockOutcome.Contended, Mono<Hold>> otherwise) {
        LockTask task = programs.task("Acquiring", request.name());
        return run(task, () -> begin(request)).flatMap(outcome -> held(outcome, request, askedNanos, otherwise));
    }

    /** Acquires several locks, all or none. */
    Mono<ReactiveHeldLocks> acquireAll(MultiLockRequest request) {
        LockTask task = programs.task("Acquiring", request.names());
        return work.unlessOwn(request.names(), false, run(task, () -> begin(request)))
                .flatMap(grant -> Mono.justOrEmpty(grant.held(task.description())))
                .map(held -> new ReactiveHeldLocks(held.stream()
                        .map(hold -> new ReactiveHeldLock(programs, hold))
                        .toList()));
    }

    private CompensatedProgram<LockOutcome> begin(LockRequest request) {
        holds.requireOpen();
        return new Acquisition(programs.settings(), request, programs.settings().newOwner(), programs.waiterQueues());
    }

    private CompensatedProgram<MultiLockResult> begin(MultiLockRequest request) {
        holds.requireOpen();
        return new MultiLockAcquisition(programs.settings(), request, programs.waiterQueues(), holds);
    }

    /** Runs an acquisition, and compensates if it is aborted. */
    <R> Mono<R> run(LockTask task, Supplier<CompensatedProgram<R>> program) {
        return programs.run(task, () -> job(program.get()));
    }

    private <R> SubscriberProgram<R> job(CompensatedProgram<R> program) {
        return new SubscriberProgram<>() {
            @Override
            public Step<R> start() {
                return holds.failWhenClosed(program.start());
            }

            @Override
            public Optional<Step<Boolean>> compensate() {
                return program.needsCompensation() ? Optional.of(program.compensate()) : Optional.empty();
            }

            @Override
            public Optional<PendingCompensation> pendingCompensation() {
                return program.pendingCompensation();
            }

            @Override
            public Optional<TimeBudget> limit() {
                return program.limit();
            }

            @Override
            public void ended() {
                program.close();
            }
        };
    }

    private Mono<Hold> held(
            LockOutcome outcome,
            LockRequest request,
            long askedNanos,
            Function<LockOutcome.Contended, Mono<Hold>> otherwise) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            return holds.add(request, acquired.lease(), askedNanos)
                    .map(Mono::just)
                    .orElseGet(() -> releaseAfterClose(acquired.lease()));
        }
        if (outcome instanceof LockOutcome.Indeterminate unknown) {
            LockTask task = programs.task("Acquiring", request.name());
            return Mono.error(new IndeterminateLockException(
                    task + " got no reply, and could not be compensated", task.lock(), unknown));
        }
        return otherwise.apply((LockOutcome.Contended) outcome);
    }

    /** A client that was closed meanwhile holds nothing. */
    private Mono<Hold> releaseAfterClose(Lease lease) {
        return programs.runToEnd(
                        "Releasing",
                        lease.name(),
                        () -> ReleaseOperation.of(programs.settings(), lease).start())
                .then(Mono.fromRunnable(holds::requireOpen));
    }
}
