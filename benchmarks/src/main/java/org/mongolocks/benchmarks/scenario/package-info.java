/** The benchmarks. Each class has the id of its benchmark, such as B1. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.scenario;
