package org.mongolocks.benchmarks.race;

/**
 * Is what one turn of a lane came to.
 *
 * @param p50Nanos the median of its operations
 * @param perSecond how many operations its threads did together
 * @param cpuNanos processor time for each operation
 * @param bytes allocated for each operation
 */
record Turn(double p50Nanos, double perSecond, double cpuNanos, double bytes) {}
