/** A lock provider of ShedLock on MongoDB: {@link org.mongolocks.shedlock.MongoLocksLockProvider}. */
package org.mongolocks.shedlock;
