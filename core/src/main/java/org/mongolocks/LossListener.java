package org.mongolocks;

/** Is told that a lock was lost. */
@FunctionalInterface
public interface LossListener {
    /**
     * Learns of a loss. It is called at most once for each held lock, on a thread of the client's listeners. Stop the
     * guarded work, or have it stopped, and leave. Listeners of one lock are called one after another; one that blocks
     * or throws keeps no other lock from being renewed or reported.
     *
     * @param lease the lease that was lost
     * @param reason why
     */
    void onLost(Lease lease, LossReason reason);
}
