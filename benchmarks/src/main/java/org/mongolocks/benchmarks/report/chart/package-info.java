/** The data of charts, and the words and styles in which all reports show them. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.report.chart;
