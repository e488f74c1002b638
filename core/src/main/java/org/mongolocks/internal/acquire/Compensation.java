package org.mongolocks.internal.acquire;

import java.util.OptionalLong;
import java.util.function.Supplier;
import org.mongolocks.ClientSettings;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.internal.hold.ReleaseOperation;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.wait.WaiterQueues;
import org.mongolocks.spi.Step;

/**
 * The release, in the owner's name, of all locks that an acquisition may have been granted. It is pending from its start
 * until the server has replied. One object serves one acquisition.
 */
final class Compensation {
    private final ClientSettings settings;
    private final LockAttempt attempt;
    private final Owner owner;
    private final WaiterQueues queues;
    private volatile boolean pending;

    Compensation(ClientSettings settings, LockAttempt attempt, Owner owner, WaiterQueues queues) {
        this.settings = settings;
        this.attempt = attempt;
        this.owner = owner;
        this.queues = queues;
    }

    /** Returns the program, which retries for as long as the run may take. */
    Step<Boolean> start(TimeBudget budget) {
        pending = true;
        return ProgramSequence.run(attempt.names().stream()
                        .<Supplier<Step<Boolean>>>map(name -> () -> release(name, budget))
                        .toList())
                .andThen(this::answered);
    }

    boolean isPending() {
        return pending;
    }

    private Step<Boolean> release(LockName name, TimeBudget budget) {
        long ttlFromNow = settings.time().nanoTime() + attempt.request().ttl().toNanos();
        ReleaseOperation release = new ReleaseOperation(settings, name, owner, OptionalLong.empty(), ttlFromNow)
                .within(budget.retryTime());
        return queues.notifyingWaiters(name, release.start());
    }

    private Step<Boolean> answered(boolean wasHeld) {
        pending = false;
        return Step.done(wasHeld);
    }
}
