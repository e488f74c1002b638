/** Reports of a run: as text for the terminal, and as JSON. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.report;
