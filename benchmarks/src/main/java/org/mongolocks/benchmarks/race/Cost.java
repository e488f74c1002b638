package org.mongolocks.benchmarks.race;

/**
 * Is what operations cost the client.
 *
 * @param cpuNanos processor time of its threads
 * @param bytes what its threads allocated
 */
record Cost(long cpuNanos, long bytes) {
    Cost plus(Cost other) {
        return new Cost(cpuNanos + other.cpuNanos, bytes + other.bytes);
    }
}
