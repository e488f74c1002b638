package org.mongolocks.internal.acquire;

import org.mongolocks.internal.hold.Releasing;
import org.mongolocks.internal.run.CommandLimit;
import org.mongolocks.internal.wait.WaitingRoom;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.mongolocks.ClientSettings;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.spi.Step;

/**
 * The compensation of one acquisition: it releases whatever may have been granted, and records whether that is still
 * pending. One object serves one run.
 */
final class TakingBack {
    private final ClientSettings settings;
    private final Question question;
    private final Owner owner;
    private final WaitingRoom room;
    private volatile boolean owed;

    TakingBack(ClientSettings settings, Question question, Owner owner, WaitingRoom room) {
        this.settings = settings;
        this.question = question;
        this.owner = owner;
        this.room = room;
    }

    /** Returns the program, which retries for as long as the run may take. */
    Step<Boolean> within(CommandLimit limit) {
        owed = true;
        return InTurn.run(question.names().stream()
                        .<Supplier<Step<Boolean>>>map(name -> () -> release(name, limit))
                        .toList())
                .fold(this::answered, Step.Fail::new);
    }

    boolean isOwed() {
        return owed;
    }

    private Step<Boolean> release(LockName name, CommandLimit limit) {
        long ttlFromNow = settings.time().nanoTime() + question.request().ttl().toNanos();
        Releasing releasing =
                new Releasing(settings, name, owner, OptionalLong.empty(), ttlFromNow).within(limit.patience());
        return room.freeing(name, releasing.start());
    }

    private Step<Boolean> answered(boolean wasHeld) {
        owed = false;
        return Step.done(wasHeld);
    }
}
