/** Locking by the unique {@code _id}. */
package org.mongolocks.strategy.insertunique;
