/** Explores the interleavings of threads in tests. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.interleavings;
