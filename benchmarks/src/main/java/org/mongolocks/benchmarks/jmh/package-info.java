/** The JMH suite, started by {@link org.mongolocks.benchmarks.jmh.JmhMain}. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.jmh;
