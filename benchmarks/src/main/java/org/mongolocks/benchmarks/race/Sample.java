package org.mongolocks.benchmarks.race;

/**
 * A sample: the figures of one turn of an operation.
 *
 * @param p50Nanos the median duration, in nanoseconds
 * @param perSecond the operations per second of all threads together
 * @param cpuNanos the processor time per operation, in nanoseconds
 * @param bytes the allocated bytes per operation
 */
record Sample(double p50Nanos, double perSecond, double cpuNanos, double bytes) {}
