package org.mongolocks.sync;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.internal.acquire.AcquireResult.Contended;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.reentrant.ReentrantAcquisition;
import org.mongolocks.internal.reentrant.ReentrantHolds;
import org.mongolocks.spi.Step;
import org.mongolocks.sync.StepRunner.InterruptPolicy;

/** A runner of re-entrant acquisitions, for the owners and the threads of one client. Thread-safe. */
final class ReentrantAcquirer {
    private final Sessions sessions;
    private final Acquirer acquirer;
    private final ReentrantHolds reentries;

    ReentrantAcquirer(Sessions sessions, Acquirer acquirer) {
        this.sessions = sessions;
        this.acquirer = acquirer;
        this.reentries = sessions.engine().reentries();
    }

    /** Enters a lock, or acquires it; the policy decides what an interrupt does. */
    <X extends Exception> Optional<HeldLock> acquire(
            Object owner,
            LockRequest request,
            InterruptPolicy<X> interrupts,
            Function<Contended, Optional<Hold>> otherwise)
            throws X {
        Objects.requireNonNull(request, "The request is null");
        ReentrantAcquisition acquisition = reentries.acquisition(owner, request);
        try {
            interrupts.begin();
            return switch (enter(acquisition, request, interrupts)) {
                case ENTERED -> Optional.of(HeldLock.ofCaller(sessions, acquisition.hold(), acquisition.share()));
                case CONTENDED -> handle(acquisition, otherwise.apply(acquisition.contended()));
                case TO_BE_ACQUIRED ->
                    handle(acquisition, acquirer.acquire(acquisition.remainingRequest(), true, interrupts, otherwise));
            };
        } finally {
            acquisition.end();
            interrupts.end();
        }
    }

    int holdCount(Object owner, LockName name) {
        return reentries.count(owner, name);
    }

    private Optional<HeldLock> handle(ReentrantAcquisition acquisition, Optional<Hold> granted) {
        return granted.map(hold -> HeldLock.ofCaller(sessions, hold, acquisition.acquired(hold)));
    }

    /** Only an acquisition that has to wait needs a runner. */
    private <X extends Exception> ReentrantAcquisition.Outcome enter(
            ReentrantAcquisition acquisition, LockRequest request, InterruptPolicy<X> interrupts) throws X {
        return acquisition.start() instanceof Step.Done<ReentrantAcquisition.Outcome> done
                ? done.result()
                : acquirer.run(sessions.task("Acquiring", request.name()), acquisition, interrupts);
    }
}
