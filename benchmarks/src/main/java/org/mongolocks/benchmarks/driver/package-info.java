/** The two drivers behind one interface: lock clients, raw commands, change streams. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.driver;
