package org.mongolocks;

/** Is told that a lock was lost. */
@FunctionalInterface
public interface LossListener {
    /**
     * Learns of a loss. It is called at most once for each held lock, on the thread that found out, and should return
     * soon: stop the guarded work, or have it stopped, and leave.
     *
     * @param lease the lease that was lost
     * @param reason why
     */
    void onLost(Lease lease, LossReason reason);
}
