/** The comparison behind {@code ./compare}: {@link org.mongolocks.benchmarks.Compare} is where to begin. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks;
