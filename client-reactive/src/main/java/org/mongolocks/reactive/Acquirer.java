package org.mongolocks.reactive;

import java.util.Optional;
import java.util.function.Supplier;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.Lease;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSetRequest;
import org.mongolocks.internal.acquire.Acquisition;
import org.mongolocks.internal.run.CommandLimit;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.Holds;
import org.mongolocks.internal.hold.Releasing;
import org.mongolocks.internal.acquire.SetAcquisition;
import org.mongolocks.internal.acquire.SetGrant;
import org.mongolocks.internal.run.Undertaking;
import org.mongolocks.spi.Step;
import reactor.core.publisher.Mono;

/** A runner of acquisitions, which compensates when one is aborted. Thread-safe. */
final class Acquirer {
    private final Programs programs;
    private final Holds holds;

    Acquirer(Programs programs, Holds holds) {
        this.programs = programs;
        this.holds = holds;
    }

    Mono<Hold> acquire(LockRequest request) {
        String task = programs.task("Acquiring", request.name());
        return run(task, () -> begin(request)).flatMap(outcome -> held(task, outcome, request));
    }

    /** Acquires several locks, all or none. */
    Mono<ReactiveHeldLocks> acquireAll(LockSetRequest request) {
        String task = programs.task("Acquiring", request.names());
        return run(task, () -> begin(request))
                .flatMap(grant -> Mono.justOrEmpty(grant.held(task)))
                .map(held -> new ReactiveHeldLocks(held.stream()
                        .map(hold -> new ReactiveHeldLock(programs, hold))
                        .toList()));
    }

    private Undertaking<LockOutcome> begin(LockRequest request) {
        holds.requireOpen();
        return new Acquisition(programs.settings(), request, programs.settings().newOwner(), programs.room());
    }

    private Undertaking<SetGrant> begin(LockSetRequest request) {
        holds.requireOpen();
        return new SetAcquisition(programs.settings(), request, programs.room(), holds);
    }

    /** Runs an acquisition, and compensates if it is aborted. */
    <R> Mono<R> run(String task, Supplier<Undertaking<R>> undertaking) {
        return programs.run(task, () -> job(undertaking.get()));
    }

    private <R> Job<R> job(Undertaking<R> undertaking) {
        return new Job<>() {
            @Override
            public Step<R> start() {
                return holds.whileOpen(undertaking.start());
            }

            @Override
            public Optional<Step<Boolean>> takeBack() {
                return undertaking.mayHold() ? Optional.of(undertaking.takeBack()) : Optional.empty();
            }

            @Override
            public Optional<Step<Boolean>> owed() {
                if (!undertaking.isOwing()) {
                    return Optional.empty();
                }
                undertaking.limit().ifPresent(CommandLimit::lift);
                return Optional.of(undertaking.takeBack());
            }

            @Override
            public Optional<CommandLimit> limit() {
                return undertaking.limit();
            }

            @Override
            public void ended() {
                undertaking.end();
            }
        };
    }

    private Mono<Hold> held(String task, LockOutcome outcome, LockRequest request) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            return holds.add(request, acquired.lease()).map(Mono::just).orElseGet(() -> giveBack(acquired.lease()));
        }
        if (outcome instanceof LockOutcome.Indeterminate unknown) {
            return Mono.error(
                    new IndeterminateLockException(task + " got no reply, and could not be compensated", unknown));
        }
        return Mono.empty();
    }

    /** A client that was closed meanwhile holds nothing. */
    private Mono<Hold> giveBack(Lease lease) {
        return programs.runToEnd(
                        "Releasing",
                        lease.name(),
                        () -> Releasing.of(programs.settings(), lease).start())
                .then(Mono.fromRunnable(holds::requireOpen));
    }
}
