/** Runs benchmarks on a server and collects what they find: {@link org.mongolocks.benchmarks.measure.Course} is where to begin. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.measure;
