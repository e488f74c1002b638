/** Measures strategies on a server: {@link org.mongolocks.benchmarks.measure.Comparison} is where to begin. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.measure;
