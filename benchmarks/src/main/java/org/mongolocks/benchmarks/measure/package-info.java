/**
 * The execution of benchmarks on a server and the collection of their results.
 * {@link org.mongolocks.benchmarks.measure.BenchmarkRun} is the entry point.
 */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.measure;
