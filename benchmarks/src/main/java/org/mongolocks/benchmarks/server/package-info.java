/** The server of a run: embedded, or the one of a connection string. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.server;
