package org.mongolocks.benchmarks.harness;

import org.mongolocks.benchmarks.measure.Violations;

/**
 * Is a grant of a lock that its holder had not given back.
 *
 * @param nanos how long after the end of the holder, in nanoseconds
 * @param violations what the witnesses saw
 */
record Takeover(long nanos, Violations violations) {}
