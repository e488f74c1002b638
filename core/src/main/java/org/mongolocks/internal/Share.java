package org.mongolocks.internal;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LossListener;

/** One handle's part in a hold that may have several handles; the last part that is given back releases the lock. */
public final class Share {
    private final Reentries.@Nullable Entry entry;
    private boolean given;
    private boolean last;

    /** Says what giving a share back comes to. */
    public enum Part {
        /** The lock is to be released, also again if that has failed. */
        LAST,
        /** Others are left. */
        ONE_OF_SEVERAL,
        /** It was given back before. */
        GIVEN_BACK
    }

    Share(Reentries.@Nullable Entry entry) {
        this.entry = entry;
    }

    /**
     * Makes the share of a hold that has one handle.
     *
     * @return a share that is always the last
     */
    public static Share sole() {
        return new Share(null);
    }

    /**
     * Gives this share back.
     *
     * @return what is to be done
     */
    public synchronized Part giveBack() {
        if (entry == null) {
            return Part.LAST;
        }
        Part part = given ? Part.GIVEN_BACK : Part.ONE_OF_SEVERAL;
        last |= !given && entry.leave();
        given = true;
        return last ? Part.LAST : part;
    }

    /** Notes that the release which the last share came to has ended, in whatever way. */
    public void released() {
        if (entry != null) {
            entry.forget();
        }
    }

    /**
     * Tells whether this share was given back while others were left. What became of the last one the hold tells.
     *
     * @return true if this handle holds nothing any more
     */
    public synchronized boolean isGivenBack() {
        return given && !last;
    }

    /**
     * Has a listener told only as long as this share is not given back.
     *
     * @param listener whom to tell
     * @return the listener to add
     */
    public LossListener whileHeld(LossListener listener) {
        Objects.requireNonNull(listener, "The listener is null");
        return entry == null
                ? listener
                : (lease, reason) -> {
                    if (!isGivenBack()) {
                        listener.onLost(lease, reason);
                    }
                };
    }
}
