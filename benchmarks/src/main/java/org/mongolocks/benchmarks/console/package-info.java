/** Output to the terminal, and errors for its user. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.console;
