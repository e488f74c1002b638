/** Has the locks that are measured behind one small interface: {@link org.mongolocks.benchmarks.rival.Rival} is where to begin. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.rival;
