package org.mongolocks.internal.reentrant;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockLostListener;

/**
 * One handle's reference to a hold that may have several handles; the release of the last reference releases the lock.
 */
public final class HoldReference {
    private final ReentrantHolds.@Nullable Entry entry;
    private boolean given;
    private boolean last;

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

    /**
     * Returns the reference of a hold that has one handle.
     *
     * @return a reference that is always the last
     */
    public static HoldReference exclusive() {
        return new HoldReference(null);
    }

    /**
     * Returns whether the hold has this handle only, because it was not acquired for an owner.
     *
     * @return true if nobody can enter it again
     */
    public boolean isExclusive() {
        return entry == null;
    }

    /**
     * Releases this reference.
     *
     * @return the effect
     */
    public synchronized ReleaseAction release() {
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

    /**
     * Returns whether this reference was released while others were left. For the last one, the hold has the state.
     *
     * @return true if this handle holds nothing any more
     */
    public synchronized boolean isReleased() {
        return given && !last;
    }

    /**
     * Wraps a listener so that it is called only while this reference is not released.
     *
     * @param listener the listener
     * @return the listener to register
     */
    public LockLostListener whileReferenced(LockLostListener listener) {
        Objects.requireNonNull(listener, "The listener is null");
        return entry == null
                ? listener
                : (lease, reason) -> {
                    if (!isReleased()) {
                        listener.onLost(lease, reason);
                    }
                };
    }
}
