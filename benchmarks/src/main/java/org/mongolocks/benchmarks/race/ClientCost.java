package org.mongolocks.benchmarks.race;

/**
 * The costs of operations for the client.
 *
 * @param cpuNanos the processor time of its threads, in nanoseconds
 * @param bytes the memory allocated by its threads, in bytes
 */
record ClientCost(long cpuNanos, long bytes) {
    ClientCost plus(ClientCost other) {
        return new ClientCost(cpuNanos + other.cpuNanos, bytes + other.bytes);
    }
}
