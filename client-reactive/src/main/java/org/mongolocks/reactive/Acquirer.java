package org.mongolocks.reactive;

import java.util.Optional;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.Lease;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockRequest;
import org.mongolocks.internal.Acquisition;
import org.mongolocks.internal.CommandLimit;
import org.mongolocks.internal.Holds;
import org.mongolocks.internal.Releasing;
import org.mongolocks.spi.Step;
import reactor.core.publisher.Mono;

/** Acquires locks, and takes back what nobody will hold. Thread-safe. */
final class Acquirer {
    private final Programs programs;
    private final Holds holds;

    Acquirer(Programs programs, Holds holds) {
        this.programs = programs;
        this.holds = holds;
    }

    Mono<ReactiveHeldLock> acquire(LockRequest request) {
        String task = programs.task("Acquiring", request.name());
        return programs.run(task, () -> job(request)).flatMap(outcome -> held(task, outcome, request));
    }

    private Job<LockOutcome> job(LockRequest request) {
        holds.requireOpen();
        Acquisition acquisition = new Acquisition(
                programs.settings(), request, programs.settings().newOwner(), programs.room());
        return new Job<>() {
            @Override
            public Step<LockOutcome> start() {
                return holds.whileOpen(acquisition.start());
            }

            @Override
            public Optional<Step<Boolean>> takeBack() {
                return acquisition.mayHold() ? Optional.of(acquisition.takeBack()) : Optional.empty();
            }

            @Override
            public Optional<Step<Boolean>> owed() {
                if (!acquisition.isOwing()) {
                    return Optional.empty();
                }
                acquisition.limit().lift();
                return Optional.of(acquisition.takeBack());
            }

            @Override
            public Optional<CommandLimit> limit() {
                return Optional.of(acquisition.limit());
            }

            @Override
            public void ended() {
                acquisition.end();
            }
        };
    }

    private Mono<ReactiveHeldLock> held(String task, LockOutcome outcome, LockRequest request) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            return holds.add(request, acquired.lease())
                    .map(hold -> Mono.just(new ReactiveHeldLock(programs, hold)))
                    .orElseGet(() -> giveBack(acquired.lease()));
        }
        if (outcome instanceof LockOutcome.Indeterminate unknown) {
            return Mono.error(
                    new IndeterminateLockException(task + " got no answer, and could not be taken back", unknown));
        }
        return Mono.empty();
    }

    /** A client that was closed meanwhile holds nothing. */
    private Mono<ReactiveHeldLock> giveBack(Lease lease) {
        return programs.runToEnd(
                        "Releasing",
                        lease.name(),
                        () -> Releasing.of(programs.settings(), lease).start())
                .then(Mono.fromRunnable(holds::requireOpen));
    }
}
