/** Locking by one {@code findAndModify} on a counter. */
package org.mongolocks.strategy.findandmodifycounter;
