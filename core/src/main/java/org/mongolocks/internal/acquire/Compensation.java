package org.mongolocks.internal.acquire;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.mongolocks.LockEvent;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.internal.hold.ReleaseOperation;
import org.mongolocks.internal.run.LockEvents;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.WaiterQueues;
import org.mongolocks.spi.Step;

/**
 * The release, in the owner's name, of all locks that an acquisition may have been granted. It is pending from
 * {@link #start} until the server has answered the release of every lock. If it fails it stays pending, and must be run
 * again. One object serves one acquisition.
 */
final class Compensation {
    private final ClientSettings settings;
    private final Owner owner;
    private final WaiterQueues queues;
    private volatile boolean pending;

    Compensation(ClientSettings settings, Owner owner, WaiterQueues queues) {
        this.settings = settings;
        this.owner = owner;
        this.queues = queues;
    }

    /**
     * Returns a program that releases each lock in turn. Each release is retried for at most one command timeout, or
     * less if the run has less time left.
     */
    Step<Boolean> start(List<LockName> names, Duration ttl, TimeBudget budget) {
        pending = true;
        return ProgramSequence.run(names.stream()
                        .<Supplier<Step<Boolean>>>map(name -> () -> release(name, ttl, budget))
                        .toList())
                .andThen(this::answered);
    }

    boolean isPending() {
        return pending;
    }

    private Step<Boolean> release(LockName name, Duration ttl, TimeBudget budget) {
        long now = settings.time().nanoTime();
        long latestEndNanos = now + ttl.toNanos();
        ReleaseOperation release = new ReleaseOperation(
                        settings, name, owner, OptionalLong.empty(), latestEndNanos, now)
                .within(budget.retryTime());
        return queues.notifyingWaiters(name, release.start()).andThen(freed -> {
            if (freed) {
                LockEvents.ofAcquisition(settings, LockEvent.Kind.COMPENSATED, name, Optional::empty);
            }
            return Step.done(freed);
        });
    }

    private Step<Boolean> answered(boolean wasHeld) {
        pending = false;
        return Step.done(wasHeld);
    }
}
