package org.mongolocks;

/** A listener for tokens that went back. */
@FunctionalInterface
public interface TokenListener {
    /**
     * Called when a lock was granted with a token that is not larger than an earlier one of the same client. The lock
     * documents were dropped, renamed or restored from a backup: what was written with the earlier token would refuse the
     * new holder, or a late writer would not be refused. The acquisition fails with {@link TokenWentBackException} after
     * this. It is called on the thread that acquires, in the reactive client on a thread of the driver: do not block.
     *
     * @param granted the grant, which is released, or ends with its lease if the release got no answer
     * @param newest the largest token that this client remembers
     */
    void onTokenWentBack(Lease granted, long newest);
}
