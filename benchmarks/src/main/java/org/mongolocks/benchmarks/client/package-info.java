/**
 * A common interface to the two lock clients and their drivers. {@link org.mongolocks.benchmarks.client.DriverAdapter} is the
 * entry point.
 */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.client;
