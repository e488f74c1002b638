/** Tells people and programs what was measured. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.report;
