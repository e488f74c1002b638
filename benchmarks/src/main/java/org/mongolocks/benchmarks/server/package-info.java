/** Finds, describes and connects to the server of a run. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.server;
