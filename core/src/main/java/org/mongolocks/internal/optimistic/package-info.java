/** Updates of one document of the user without a lock, by compare-and-set on a version. Internal: may change at any time. */
package org.mongolocks.internal.optimistic;
