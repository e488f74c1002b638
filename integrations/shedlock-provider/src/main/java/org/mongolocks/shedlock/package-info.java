/**
 * Lock providers of ShedLock on MongoDB: {@link org.mongolocks.shedlock.MongoLocksLockProvider} for the synchronous
 * client, {@link org.mongolocks.shedlock.ReactiveMongoLocksLockProvider} for the reactive one.
 */
package org.mongolocks.shedlock;
