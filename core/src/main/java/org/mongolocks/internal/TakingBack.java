package org.mongolocks.internal;

import java.util.OptionalLong;
import org.mongolocks.ClientSettings;
import org.mongolocks.LockRequest;
import org.mongolocks.Owner;
import org.mongolocks.spi.Step;

/** Releases what may have been granted to one acquisition, and knows whether that is owed yet. It serves one run. */
final class TakingBack {
    private final ClientSettings settings;
    private final LockRequest request;
    private final Owner owner;
    private final WaitingRoom room;
    private volatile boolean owed;

    TakingBack(ClientSettings settings, LockRequest request, Owner owner, WaitingRoom room) {
        this.settings = settings;
        this.request = request;
        this.owner = owner;
        this.room = room;
    }

    /** Gives the program, which tries for as long as the run may take. */
    Step<Boolean> within(CommandLimit limit) {
        long ttlFromNow = settings.time().nanoTime() + request.ttl().toNanos();
        Releasing releasing = new Releasing(settings, request.name(), owner, OptionalLong.empty(), ttlFromNow)
                .within(limit.patience());
        owed = true;
        return room.freeing(request.name(), releasing.start()).fold(this::answered, Step.Fail::new);
    }

    boolean isOwed() {
        return owed;
    }

    private Step<Boolean> answered(boolean wasHeld) {
        owed = false;
        return Step.done(wasHeld);
    }
}
