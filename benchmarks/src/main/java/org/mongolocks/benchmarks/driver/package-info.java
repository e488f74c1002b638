/** A driver with its pool, raw commands, and the baselines made of them. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.driver;
