/** Measures strategies on a server: {@code Comparison} is where to begin. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.measure;
