/** The interface of a lock under test. {@link org.mongolocks.benchmarks.rival.LockImplementation} is the entry point. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.rival;
