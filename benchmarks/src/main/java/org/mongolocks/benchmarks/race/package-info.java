/**
 * Compares operations with their floors in turns of one run: {@link org.mongolocks.benchmarks.race.Race} is where to
 * begin.
 */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.race;
