/** Repeated operations, measured in alternation with their baselines. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.sampling;
