/**
 * Benchmarks with several participants: hand-off, contention, idle waiters, recovery, and load at a fixed rate.
 * {@link org.mongolocks.benchmarks.harness.HandOffBenchmark} is the entry point for readers.
 */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.harness;
