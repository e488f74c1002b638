package org.mongolocks.benchmarks.harness;

import org.mongolocks.benchmarks.measure.Violations;

/**
 * A grant of a lock that its holder had not released.
 *
 * @param nanos the time since the end of the holder, in nanoseconds
 * @param violations the violations seen during the takeover
 */
record Takeover(long nanos, Violations violations) {}
