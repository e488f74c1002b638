/** The JMH suite, started by {@link org.mongolocks.benchmarks.jmh.Suite}. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.jmh;
