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
 * The compensation of one acquisition: it releases whatever may have been granted, and records whether that is still
 * pending. One object serves one run.
 */
final class Compensation {
    private final ClientSettings settings;
    private final LockAttempt question;
    private final Owner owner;
    private final WaiterQueues room;
    private volatile boolean pending;

    Compensation(ClientSettings settings, LockAttempt question, Owner owner, WaiterQueues room) {
        this.settings = settings;
        this.question = question;
        this.owner = owner;
        this.room = room;
    }

    /** Returns the program, which retries for as long as the run may take. */
    Step<Boolean> run(TimeBudget limit) {
        pending = true;
        return ProgramSequence.run(question.names().stream()
                        .<Supplier<Step<Boolean>>>map(name -> () -> release(name, limit))
                        .toList())
                .then(this::answered, Step.Fail::new);
    }

    boolean isPending() {
        return pending;
    }

    private Step<Boolean> release(LockName name, TimeBudget limit) {
        long ttlFromNow = settings.time().nanoTime() + question.request().ttl().toNanos();
        ReleaseOperation releasing =
                new ReleaseOperation(settings, name, owner, OptionalLong.empty(), ttlFromNow).within(limit.retryTime());
        return room.notifyingWaiters(name, releasing.start());
    }

    private Step<Boolean> answered(boolean wasHeld) {
        pending = false;
        return Step.done(wasHeld);
    }
}
