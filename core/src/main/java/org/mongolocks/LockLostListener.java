package org.mongolocks;

/** A listener that is called when a lock was lost. */
@FunctionalInterface
public interface LockLostListener {
    /**
     * Handles the loss of a lock. Called at most once for each held lock, on a listener thread of the client, or on
     * the executor of the builder. Stop the guarded work, or make it stop, and return. Listeners of one lock are called
     * one after another. However many block or throw, no renewal of another lock and no call of its listeners is
     * delayed.
     *
     * @param lease the lease that was lost
     * @param reason why it was lost
     */
    void onLost(Lease lease, LossReason reason);
}
