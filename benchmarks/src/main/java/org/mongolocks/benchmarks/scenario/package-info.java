/** The benchmarks. Their ids are in {@link org.mongolocks.benchmarks.scenario.BenchmarkRegistry}. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.scenario;
