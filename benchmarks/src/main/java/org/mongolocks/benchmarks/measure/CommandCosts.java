package org.mongolocks.benchmarks.measure;

/**
 * The mean number of commands of each operation.
 *
 * @param acquireFree to acquire a lock that was never used
 * @param acquireReleased to acquire a lock that was used and released
 * @param acquireHeld for one attempt at a lock that another owner holds
 * @param renew to renew a lease
 * @param release to release a lock
 */
public record CommandCosts(
        double acquireFree, double acquireReleased, double acquireHeld, double renew, double release) {}
