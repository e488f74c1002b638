package org.mongolocks.internal.reentrant;

import java.lang.ref.Cleaner;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LossReason;
import org.mongolocks.internal.hold.Hold;

/**
 * One handle's reference to a hold that may have several handles; the release of the last reference releases the lock.
 */
public final class HoldReference {
    private final ReentrantHolds.@Nullable Entry entry;
    private Cleaner.Cleanable watch = () -> {};
    private boolean given;
    private boolean last;
    private boolean left;
    private Optional<LossReason> lossBefore = Optional.empty();

    /** One for the library; its thread starts with the first watch, and has no reference to the class loader of the library. */
    private static final class Watch {
        static final Cleaner CLEANER = Cleaner.create();
    }

    /** The effect of the release of a reference. */
    public enum ReleaseAction {
        /** The last reference: the lock must be released, also if an earlier release has failed. */
        LAST,
        /** Other references are left. */
        ONE_OF_SEVERAL,
        /** The reference was released before. */
        RELEASED
    }

    HoldReference(ReentrantHolds.@Nullable Entry entry) {
        this.entry = entry;
    }

    /** Returns the reference of a hold that has one handle: it is always the last. */
    public static HoldReference exclusive() {
        return new HoldReference(null);
    }

    /**
     * Returns whether the hold has this handle only: it was not acquired for an owner, and nobody can enter it again.
     */
    public boolean isExclusive() {
        return entry == null;
    }

    /**
     * Watches the handle that has this reference: if it is garbage-collected without a release while the client keeps the
     * lock alive, that is logged, and the reference is released. A lock that no client renews ends with its lease, and is
     * not watched unless another handle may ask to keep it alive.
     *
     * @param handle the handle; neither this reference nor the hold may refer to it
     * @param acquiredAt returns the place in the user's code that acquired the lock, for the log; may be empty
     */
    public void watch(Object handle, Hold hold, Supplier<String> acquiredAt) {
        if (entry != null || hold.isKeptAlive()) {
            String place = acquiredAt.get();
            Cleaner.Cleanable watching = Watch.CLEANER.register(handle, () -> forgotten(hold, place));
            synchronized (this) {
                watch = watching;
            }
        }
    }

    private void forgotten(Hold hold, String acquiredAt) {
        if (isLeft()) {
            return;
        }
        hold.removeListeners(this);
        if (hold.isKeptAlive()) {
            hold.forgotten(new Hold.ForgottenHandle(acquiredAt, leave() == ReleaseAction.LAST, this::released));
        } else if (entry != null) {
            entry.leaveForgotten();
        }
    }

    private synchronized boolean isLeft() {
        return left;
    }

    public ReleaseAction release() {
        Cleaner.Cleanable watching;
        ReleaseAction action = ReleaseAction.LAST;
        synchronized (this) {
            watching = watch;
            if (entry == null) {
                left = true;
            } else {
                action = leave();
            }
        }
        watching.clean();
        return action;
    }

    private synchronized ReleaseAction leave() {
        left = true;
        if (entry == null) {
            return ReleaseAction.LAST;
        }
        ReleaseAction part = given ? ReleaseAction.RELEASED : ReleaseAction.ONE_OF_SEVERAL;
        last |= !given && entry.leave();
        given = true;
        return last ? ReleaseAction.LAST : part;
    }

    /** Records that the release of the lock by the last reference has ended, successfully or not. */
    public void released() {
        if (entry != null) {
            entry.forget();
        }
    }

    /** Returns whether this reference was released while others were left. For the last one, the hold has the state. */
    public synchronized boolean isReleased() {
        return given && !last;
    }

    /**
     * Ends this reference after a release that left others: nothing that happens to the lock later concerns it.
     * Returns whether the lock was held until now.
     */
    public boolean end(Hold hold) {
        boolean isHeld = hold.isHeld();
        synchronized (this) {
            lossBefore = hold.loss();
        }
        hold.removeListeners(this);
        return isHeld;
    }

    /** Returns why the lock was lost; empty if no loss was known when this reference was released. */
    public Optional<LossReason> loss(Hold hold) {
        Optional<LossReason> newest = hold.loss();
        synchronized (this) {
            return isReleased() ? lossBefore : newest;
        }
    }
}
