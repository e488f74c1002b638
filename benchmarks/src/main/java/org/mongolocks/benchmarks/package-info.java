/** The comparison behind {@code ./compare}. {@link org.mongolocks.benchmarks.Compare} is the entry point. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks;
