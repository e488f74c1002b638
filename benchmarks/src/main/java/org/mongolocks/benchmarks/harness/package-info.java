/**
 * Has the benchmarks in which several parties meet: hand-off, contention, idle waiters, recovery, and load at a fixed rate.
 * {@link org.mongolocks.benchmarks.harness.HandOff} is where to begin.
 */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.harness;
