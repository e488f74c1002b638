/** The command line of the comparison. {@link org.mongolocks.benchmarks.cli.CompareMain} is the entry point. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.cli;
