/** The locks under test: strategies with either client, and the locks of other libraries. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.lock;
