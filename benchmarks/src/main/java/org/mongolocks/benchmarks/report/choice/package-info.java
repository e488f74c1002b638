/** The choice of a strategy by the figures of a run, and what would decide where they do not. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.report.choice;
