/** One run: its environment, its context for benchmarks, and the checks of mutual exclusion. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.run;
