/**
 * The locks of other libraries, behind the interface of a lock under test. {@link org.mongolocks.benchmarks.peer.OtherLibraries}
 * is the entry point.
 */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.peer;
