/**
 * The result types common to all benchmarks. {@link org.mongolocks.benchmarks.result.Measurement} is the entry point.
 */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.result;
