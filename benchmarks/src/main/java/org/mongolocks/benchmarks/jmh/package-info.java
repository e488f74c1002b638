/** The JMH suite: {@link org.mongolocks.benchmarks.jmh.Suite} starts it. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.jmh;
