/** Has the two lock clients and the two drivers under them in one form: {@link org.mongolocks.benchmarks.client.Side} is where to begin. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.client;
