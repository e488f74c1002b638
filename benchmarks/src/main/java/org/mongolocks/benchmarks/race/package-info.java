/**
 * Paired benchmarks, which measure operations in alternation with their baselines.
 * {@link org.mongolocks.benchmarks.race.InterleavedRunner} is the entry point.
 */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.race;
