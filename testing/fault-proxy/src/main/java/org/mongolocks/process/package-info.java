/** Processes that a test or a benchmark starts, talks to, suspends and kills. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.process;
