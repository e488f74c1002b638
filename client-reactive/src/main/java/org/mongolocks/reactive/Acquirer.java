package org.mongolocks.reactive;

import java.util.Optional;
import java.util.function.Supplier;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.Lease;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.internal.acquire.Acquisition;
import org.mongolocks.internal.acquire.MultiLockAcquisition;
import org.mongolocks.internal.acquire.MultiLockResult;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.HoldRegistry;
import org.mongolocks.internal.hold.ReleaseOperation;
import org.mongolocks.internal.run.CompensatedProgram;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.spi.Step;
import reactor.core.publisher.Mono;

/** A runner of acquisitions, which compensates when one is aborted. Thread-safe. */
final class Acquirer {
    private final Sessions programs;
    private final HoldRegistry holds;

    Acquirer(Sessions programs, HoldRegistry holds) {
        this.programs = programs;
        this.holds = holds;
    }

    Mono<Hold> acquire(LockRequest request) {
        String task = programs.task("Acquiring", request.name());
        return run(task, () -> begin(request)).flatMap(outcome -> held(task, outcome, request));
    }

    /** Acquires several locks, all or none. */
    Mono<ReactiveHeldLocks> acquireAll(MultiLockRequest request) {
        String task = programs.task("Acquiring", request.names());
        return run(task, () -> begin(request))
                .flatMap(grant -> Mono.justOrEmpty(grant.held(task)))
                .map(held -> new ReactiveHeldLocks(held.stream()
                        .map(hold -> new ReactiveHeldLock(programs, hold))
                        .toList()));
    }

    private CompensatedProgram<LockOutcome> begin(LockRequest request) {
        holds.requireOpen();
        return new Acquisition(programs.settings(), request, programs.settings().newOwner(), programs.room());
    }

    private CompensatedProgram<MultiLockResult> begin(MultiLockRequest request) {
        holds.requireOpen();
        return new MultiLockAcquisition(programs.settings(), request, programs.room(), holds);
    }

    /** Runs an acquisition, and compensates if it is aborted. */
    <R> Mono<R> run(String task, Supplier<CompensatedProgram<R>> undertaking) {
        return programs.run(task, () -> job(undertaking.get()));
    }

    private <R> SubscriberProgram<R> job(CompensatedProgram<R> undertaking) {
        return new SubscriberProgram<>() {
            @Override
            public Step<R> start() {
                return holds.failWhenClosed(undertaking.start());
            }

            @Override
            public Optional<Step<Boolean>> compensate() {
                return undertaking.needsCompensation() ? Optional.of(undertaking.compensate()) : Optional.empty();
            }

            @Override
            public Optional<Step<Boolean>> pendingCompensation() {
                if (!undertaking.hasPendingCompensation()) {
                    return Optional.empty();
                }
                undertaking.limit().ifPresent(TimeBudget::removeDeadline);
                return Optional.of(undertaking.compensate());
            }

            @Override
            public Optional<TimeBudget> limit() {
                return undertaking.limit();
            }

            @Override
            public void ended() {
                undertaking.close();
            }
        };
    }

    private Mono<Hold> held(String task, LockOutcome outcome, LockRequest request) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            return holds.add(request, acquired.lease())
                    .map(Mono::just)
                    .orElseGet(() -> releaseAfterClose(acquired.lease()));
        }
        if (outcome instanceof LockOutcome.Indeterminate unknown) {
            return Mono.error(
                    new IndeterminateLockException(task + " got no reply, and could not be compensated", unknown));
        }
        return Mono.empty();
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
