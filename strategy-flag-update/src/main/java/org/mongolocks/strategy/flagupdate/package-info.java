/** Locking by flipping a flag. */
package org.mongolocks.strategy.flagupdate;
