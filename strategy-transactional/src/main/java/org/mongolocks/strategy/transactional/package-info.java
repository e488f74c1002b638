/** Locking by a transaction. */
package org.mongolocks.strategy.transactional;
