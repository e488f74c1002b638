/** Locking by setting a flag. */
package org.mongolocks.strategy.flagupdate;
