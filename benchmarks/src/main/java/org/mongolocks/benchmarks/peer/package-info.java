/** Puts other libraries' locks behind the interface by which locks are measured: {@link org.mongolocks.benchmarks.peer.Peers} is where to begin. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.peer;
