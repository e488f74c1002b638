/** The HTML report of a run, from {@code results.json} alone. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.report.html;
