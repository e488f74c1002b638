/** The charts of the HTML report, as SVG. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.report.chart;
