/** Locking by compare-and-set on a version. */
package org.mongolocks.strategy.optimisticversion;
