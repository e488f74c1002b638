package org.mongolocks;

/** A listener that is called when the fencing tokens of a lock went back. */
@FunctionalInterface
public interface TokenListener {
    /**
     * Handles a grant whose token is not larger than an earlier token of the same client. The lock documents were
     * dropped, renamed or restored from a backup: data written with the earlier token would refuse the new holder,
     * or a late writer would not be refused. After this call the acquisition fails with
     * {@link TokenWentBackException}. Called on the thread that acquires, in the reactive client on a thread of the
     * driver: do not block.
     *
     * @param granted the grant, which is released, or ends with its lease if the release got no reply
     * @param newest the largest token that this client remembers
     */
    void onTokenWentBack(Lease granted, long newest);
}
