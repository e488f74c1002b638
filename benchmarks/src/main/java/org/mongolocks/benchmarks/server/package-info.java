/** The server of a run: its connection, its description, and errors about it. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.server;
