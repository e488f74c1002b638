/** The reports of a run: the choice, the terminal, the page and {@code results.json}. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.report;
