/** Has the figures that all benchmarks give, whatever they measure: {@link org.mongolocks.benchmarks.result.Measurement} is where to begin. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.result;
