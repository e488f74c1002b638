package org.mongolocks.benchmarks.measure;

/**
 * Tells how many commands each operation sent, on average.
 *
 * @param acquireFree to acquire a lock that was never used
 * @param acquireReleased to acquire a lock that was used and released
 * @param acquireHeld to find that another holds the lock, asking once
 * @param renew to renew a lease
 * @param release to release a lock
 */
public record CommandCosts(
        double acquireFree, double acquireReleased, double acquireHeld, double renew, double release) {}
