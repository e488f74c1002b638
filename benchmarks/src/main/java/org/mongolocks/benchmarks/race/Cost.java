package org.mongolocks.benchmarks.race;

/**
 * The costs of operations for the client.
 *
 * @param cpuNanos the processor time of its threads, in nanoseconds
 * @param bytes the memory allocated by its threads, in bytes
 */
record Cost(long cpuNanos, long bytes) {
    Cost plus(Cost other) {
        return new Cost(cpuNanos + other.cpuNanos, bytes + other.bytes);
    }
}
