/** The comparison behind {@code ./compare}. {@link org.mongolocks.benchmarks.CompareMain} is the entry point. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks;
