/** Talks to the person at the terminal. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.console;
