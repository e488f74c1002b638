/** The HTML report of a run. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.report.html;
